package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestVerdicts serves the failures of hosts/testdata/verdicts from real sockets:
// what a person at the terminal reads is what every host says, and the exit code
// tells a call that may have run from one that has not.
func TestVerdicts(t *testing.T) {
	const folder = "../../hosts/testdata/verdicts"
	served := serveVerdicts(t, folder)
	files, err := filepath.Glob(folder + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no cases: ", err)
	}
	played := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		var c struct {
			URL           string
			Login, Proxy  string
			Most, Timeout int
			Program       *struct{ Missing bool }
			Verdict       string
			Words, Hosts  []string
		}
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &c)
		}
		if err != nil {
			t.Fatal(err)
		}
		// It signs nobody in, takes messages of one size, and asks no proxy for this
		// machine.
		if c.Login != "" || c.Proxy != "" || c.Most != 0 || c.Hosts != nil && !slices.Contains(c.Hosts, "go") {
			continue
		}
		if slices.Contains([]string{"done", "answered", "unusable"}, c.Verdict) { // what became of it is known
			continue
		}
		played++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{"call", served.url(name), "x"}
			switch {
			case c.Program != nil && c.Program.Missing:
				args = []string{"call", "x", "--", filepath.Join(t.TempDir(), "server")}
			case c.Program != nil:
				args = []string{"call", "x", "--", served.program, "-cases", folder, "-program", name}
			}
			at := slices.Index(args, "--")
			if at < 0 {
				at = len(args)
			}
			if c.Timeout != 0 {
				args = slices.Insert(args, at, "--timeout", fmt.Sprint(c.Timeout, "ms"))
			}
			got := run(t, "", slices.Insert(args, at, "--state-dir", t.TempDir())...)
			code := 3
			switch {
			case c.Verdict == "in doubt":
				code = 6
			case c.URL != "" && !strings.HasPrefix(c.URL, "http"): // wrong usage, before anything is called
				code, c.Words = 2, []string{"is no http or https URL"}
			}
			got.check(t, code, "")
			for _, words := range c.Words {
				if !strings.Contains(strings.Join(strings.Fields(got.stderr), " "), words) {
					t.Errorf("lacks %q:\n%s", words, got.stderr)
				}
			}
		})
	}
	if played < 38 {
		t.Errorf("%d cases are for a terminal, want 38 at least", played)
	}
}

// verdictServer is the program that serves the failures.
type verdictServer struct {
	program string
	Cases   map[string]struct{ URL string }
}

func (s *verdictServer) url(name string) string { return s.Cases[name].URL }

// serveVerdicts runs the program until the test ends. What it runs after that
// trusts its certificate.
func serveVerdicts(t *testing.T, folder string) *verdictServer {
	t.Helper()
	s := &verdictServer{program: filepath.Join(t.TempDir(), "serve")}
	build := exec.Command("go", "build", "-o", s.program, "github.com/parley-mcp/parley/internal/testkit/failures/serve")
	build.Env = append(os.Environ(), "GOWORK=") // the workspace, even where the tests run without it
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(s.program, "-cases", folder)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	said := struct {
		CA string
		*verdictServer
	}{verdictServer: s}
	if err == nil {
		err = json.Unmarshal(line, &said)
	}
	if err != nil {
		t.Fatal(err)
	}
	trusted := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(trusted, []byte(said.CA), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", trusted)
	return s
}
