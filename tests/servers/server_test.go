package servers_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/tests/interop"
)

// server is one of the programs, run in one way: a row of the table.
type server struct {
	name    string // as the README calls it
	version func() string
	make    func(t *testing.T) []string // its command, once what it needs is there
	args    []string                    // of its own
	env     []string
	http    []string // what makes it serve over HTTP, and that it does; nil means stdio
	port    bool     // it has to be told the port, by the variable PORT
	path    string   // of its endpoint, if that is not /mcp

	prepare func(dir string) error // the directory

	timeout time.Duration // of a call; 0 is what the client takes by itself

	speaks string // the protocol version
	pinned bool   // because the client asks for no other

	sampling, roots bool   // what the client declares beside forms
	asksRoots       bool   // the server asks for the roots by itself
	key             string // its name for the form, if it has names
	wraps           string // the name under which results are in structuredContent, too
	logsAside       bool   // logs may come after the result, on the session's stream
	listsByClient   bool   // what it lists depends on what the client declares
	sdk             bool   // it is one of ours, on an SDK
	without         string // what is left out, and why

	listing
	calls []call
}

func (s server) transport() string {
	if s.http != nil {
		return "HTTP"
	}
	return "stdio"
}

func (s server) String() string { return s.name + " over " + s.transport() }

// listing is the names of what a server lists; nil is what a route does not list.
type listing struct{ tools, prompts, resources, templates []string }

// place is a directory that a server works in, and the replacements of the table.
type place struct {
	dir  string
	fill *strings.Replacer
}

func (s server) newPlace(t *testing.T) place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if s.prepare != nil {
		if err := s.prepare(dir); err != nil {
			t.Fatal(err)
		}
	}
	return place{dir, strings.NewReplacer("$DIR", dir, "$WEB", website())}
}

func (p place) all(texts []string) []string {
	filled := make([]string, len(texts))
	for i, text := range texts {
		filled[i] = p.fill.Replace(text)
	}
	return filled
}

// fillIn is a call of the server's, filled in.
func (s server) fillIn(c call, p place) call {
	for _, text := range []*string{&c.arguments, &c.text, &c.structured} {
		*text = p.fill.Replace(*text)
	}
	c.has, c.wraps = p.all(c.has), s.wraps
	return c
}

func (s server) command(t *testing.T, p place) []string {
	t.Helper()
	return append(s.make(t), p.all(s.args)...)
}

// environ is what servers get, and parley: nothing of whoever runs the tests that could change what they do.
func (s server) environ(p place) []string {
	var kept []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasSuffix(strings.ToLower(name), "_proxy") && (name == "PARLEY_CACHE" || !strings.HasPrefix(name, "PARLEY_")) {
			kept = append(kept, pair)
		}
	}
	kept = append(kept, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "DBUS_SESSION_BUS_ADDRESS=", "XDG_RUNTIME_DIR=",
		"XDG_STATE_HOME="+filepath.Join(work, "state"))
	return append(kept, p.all(s.env)...)
}

// setUp runs a script that installs something, once, and returns what it prints.
func setUp(t *testing.T, script ...string) string {
	t.Helper()
	once, _ := setUps.LoadOrStore(strings.Join(script, " "), sync.OnceValues(func() (string, error) {
		var log strings.Builder
		cmd := exec.Command(script[0], script[1:]...)
		cmd.Stderr = &log
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("%s: %w\n%s", strings.Join(script, " "), err, log.String())
		}
		return strings.TrimSpace(string(out)), err
	}))
	out, err := once.(func() (string, error))()
	if err == nil {
		return out
	}
	if os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	t.Fatal(err)
	return ""
}

var setUps sync.Map // commands to func() (string, error)

// python is a program of an environment that a file of requirements makes.
func python(requirements, program string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		path := setUp(t, "../../examples/python-server/setup.sh", requirements)
		// That one has Parley in it; the environment under it has not.
		environment := path[:strings.LastIndex(filepath.Dir(filepath.Dir(path)), "-")]
		if strings.HasSuffix(program, ".py") {
			return []string{environment + "/bin/python", here(program)}
		}
		return []string{environment + "/bin/" + program}
	}
}

// npm is a program of the packages in npm, or beside them.
func npm(program string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		setUp(t, "../../hosts/js/npm-install.sh", "npm")
		if strings.HasSuffix(program, ".js") {
			return []string{"node", here("npm", program)}
		}
		return []string{here("npm", "node_modules", ".bin", program)}
	}
}

// built is a program in Go, in a folder beside this file.
func built(name string) func(*testing.T) []string {
	return func(t *testing.T) []string { return []string{filepath.Join(work, name)} }
}

// rust is the server in the crate of tests/interop.
func rust(t *testing.T) []string {
	interop.SetUp(t, "rust")
	return []string{here("..", "interop", "run.sh"), "--ready", "restaurant", "rust"}
}

// slowly starts as a program does that its launcher has to download first.
func slowly(start func(*testing.T) []string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		return append([]string{"sh", "-c", `sleep 7; exec "$@"`, "sh"}, start(t)...)
	}
}

func here(path ...string) string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return filepath.Join(append([]string{dir}, path...)...)
}
