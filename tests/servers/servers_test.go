// Package servers_test uses published servers, and small ones as the documentation of each SDK shows them, as their users do.
// table_test.go and published_test.go have every server and call; each call goes through apps/parley and through the Go host.
// README.md is what was seen: go test -update writes it.
package servers_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write README.md")

var work string // a directory with the programs that are built

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(build(m))
}

func build(m *testing.M) int {
	var err error
	if work, err = os.MkdirTemp("", "servers"); err == nil {
		defer os.RemoveAll(work)
		err = os.WriteFile(filepath.Join(work, "model"), []byte(model), 0o700)
	}
	if err == nil {
		var out []byte
		cmd := exec.Command("go", "build", "-o", work+string(filepath.Separator), "./gosdk", "./mcpgo", "github.com/parley-mcp/parley/apps/parley")
		if out, err = cmd.CombinedOutput(); err != nil {
			err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// model is the command of --sample-cmd, and says does the same: the prompt has to reach it.
const model = `#!/bin/sh
case $(cat) in
  *"` + prompt + `"*) echo "` + sampled + `" ;;
  *) echo "What?" ;;
esac
`

const (
	prompt  = "a long story"
	sampled = "A short one."
)

func says(params string) string {
	if strings.Contains(params, prompt) {
		return sampled
	}
	return "What?"
}

// website has a page that programs may fetch, and one that they may not.
var website = sync.OnceValue(func() string {
	const page = `<html><head><title>Tea</title></head><body><article><h1>On tea</h1><p>Tea is made of <b>leaves</b>.</p></article></body></html>`
	pages := http.NewServeMux()
	pages.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /private\n") })
	for _, path := range []string{"/page", "/private"} {
		pages.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, page)
		})
	}
	return httptest.NewServer(pages).URL // until the program ends
})

// route is a way to use a server.
type route interface {
	version(t *testing.T) string
	list(t *testing.T) (listing, []string)
	play(t *testing.T, c call) []string
	close(t *testing.T)
}

const (
	byCLI     = "parley"
	byLibrary = "Go host"
)

func TestServers(t *testing.T) {
	seen := make([]*row, len(servers))
	t.Run("all", func(t *testing.T) {
		for i, s := range servers {
			seen[i] = &row{server: s, passed: map[string]int{}, asked: map[string]int{}}
			t.Run(strings.ReplaceAll(s.String(), " ", "_"), func(t *testing.T) {
				t.Parallel()
				seen[i].visit(t, byCLI, newCLI(t, s))
				seen[i].visit(t, byLibrary, newLibrary(t, s))
				seen[i].complete = true
			})
		}
	})
	checkReadme(t, seen)
}

// visit lists what a server has, and makes every call.
func (r *row) visit(t *testing.T, name string, by route) {
	s := r.server
	defer by.close(t)
	listed, problems := by.list(t)
	if version := by.version(t); version != s.speaks {
		t.Errorf("%s: the server speaks %q, want %s", name, version, s.speaks)
	}
	r.judge(t, name, "lists", append(problems, s.compare(listed)...))
	for _, c := range s.calls {
		if r.judge(t, name, c.String(), by.play(t, c)) && name == byLibrary {
			for _, kind := range c.asks {
				r.asked[kind]++
			}
		}
	}
	if name == byLibrary { // the other lists less
		r.listed = listed
	}
}

// judge counts a call that went well, and reports one that did not.
func (r *row) judge(t *testing.T, route, what string, problems []string) (passed bool) {
	t.Helper()
	if all := strings.Join(problems, "\n  "); all != "" {
		t.Errorf("%s by %s:\n  %s", what, route, all)
		return false
	}
	r.passed[route]++
	return true
}

// compare holds what was listed against what there is. Servers may list in any order.
func (s server) compare(got listing) (problems []string) {
	for _, list := range []struct {
		what      string
		got, want []string
	}{
		{"tools", got.tools, s.tools}, {"prompts", got.prompts, s.prompts},
		{"resources", got.resources, s.resources}, {"templates", got.templates, s.templates},
	} {
		if list.got == nil {
			continue
		}
		got, want := slices.Sorted(slices.Values(list.got)), slices.Sorted(slices.Values(list.want))
		if !slices.Equal(got, want) {
			problems = append(problems, fmt.Sprintf("%s: got %q, want %q", list.what, got, want))
		}
	}
	return problems
}
