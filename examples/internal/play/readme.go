package play

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	block     = regexp.MustCompile("(?s)```sh\n(.*?)```")
	comment   = regexp.MustCompile(`\s+#.*`)
	goRun     = regexp.MustCompile(`go run (\./\S+)`)
	port      = regexp.MustCompile(`\b80\d\d\b`)
	listening = regexp.MustCompile(`:(\d+)/mcp$`)
)

// Readme runs the commands of a README, in its order and from the root of the
// repository, but for those that set up, which the example's test.sh has done. A
// person at a host presses Enter three times, and then declines. Servers take a
// free port instead of the one that is shown.
func Readme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	scratch := t.TempDir() // looks like the root, and takes what the commands leave
	entries, err := filepath.Glob("*")
	for _, entry := range entries {
		at, err := filepath.Abs(entry)
		if err == nil {
			err = os.Symlink(at, filepath.Join(scratch, entry))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir()) // where parley keeps calls
	keys := filepath.Join(t.TempDir(), "keys")
	ports := map[string]string{} // shown and real
	ran := 0
	for _, found := range block.FindAllSubmatch(text, -1) {
		for line := range strings.Lines(string(found[1])) {
			line = comment.ReplaceAllString(strings.TrimSpace(line), "")
			if strings.HasPrefix(line, "npm ci ") || strings.HasSuffix(line, "/setup.sh") || strings.HasSuffix(line, "/setup.sh)") {
				continue
			}
			shown := line
			line = goRun.ReplaceAllStringFunc(line, func(run string) string { return Build(t, strings.TrimPrefix(run, "go run "))[0] })
			line = strings.ReplaceAll(line, " keys", " "+keys)
			line = strings.ReplaceAll(line, `"$python"`, os.Getenv("PARLEY_EXAMPLES_PYTHON"))
			ran++
			if server, is := strings.CutSuffix(line, " &"); is {
				url := Start(t, []string{"bash", "-c", "exec " + port.ReplaceAllString(server, "0")})
				ports[port.FindString(server)] = listening.FindStringSubmatch(url)[1]
				continue
			}
			cmd := exec.CommandContext(t.Context(), "bash", "-c", port.ReplaceAllStringFunc(line, func(at string) string { return ports[at] }))
			cmd.Dir = scratch
			cmd.Stdin = strings.NewReader("\n\n\n/decline\n")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", shown, err, out)
			}
		}
	}
	if ran == 0 {
		t.Error("there are no commands")
	}
}
