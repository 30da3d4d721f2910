// Package forms_test proves which forms of real SDKs reach the person. Servers on the official SDKs ask with types as people
// write them: pydantic, zod, Go structs, schemars, two hundred of each, drawn by a seed. Parley's Go host reads each form, and a
// program in place of a person fills it in, as far as [form.Schema.Check] takes what it fills in. The SDK's own server takes the
// answer or not, and two validators that are not ours judge it. README.md is what was seen: go test -update writes it.
package forms_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var (
	update = flag.Bool("update", false, "write README.md")
	list   = flag.Bool("list", false, "list what SDKs did not take, and what is refused that validators take")
	seed   = flag.Uint64("seed", 33, "draw other types; those of Rust are drawn when they are built")
)

// wanted is how many of a hundred forms that are flat and ask for no secret have to reach the person.
const wanted = 98

var work string // a directory with the programs that are built

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(build(m))
}

func build(m *testing.M) int {
	var err error
	if work, err = os.MkdirTemp("", "forms"); err == nil {
		defer os.RemoveAll(work)
		var out []byte
		if out, err = exec.Command("go", "build", "-o", work+string(filepath.Separator), "./gosdk").CombinedOutput(); err != nil {
			err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func TestForms(t *testing.T) {
	t.Logf("the seed is %d", *seed)
	rows := make([]*row, len(servers))
	t.Run("of", func(t *testing.T) {
		for i, s := range servers {
			rows[i] = &row{server: s}
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				rows[i].visit(t)
				rows[i].judge(t)
				rows[i].settle(t)
			})
		}
	})
	checkReadme(t, rows)
}
