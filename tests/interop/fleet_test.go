package interop_test

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/tests/interop"
)

// instance is a server of a fleet.
type instance struct {
	language string
	command  []string
}

// TestFleetOfThree has clients call a service whose instances are in Go,
// JavaScript and Python, and have nothing but keys in common. Each leg of a call
// reaches the instance that an order says, and there is a call for each of the 27
// orders of three legs: of a tool that keeps its state by itself, and of one that
// asks in straight code.
func TestFleetOfThree(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	key := keyFile(t)
	services := []struct {
		name      string
		instances func(*testing.T) []instance
		call      interop.Case
	}{
		{"tokens", func(t *testing.T) []instance {
			return []instance{
				{"Go", append(goServer(t, root), "-key-file", key)},
				{"JavaScript", append(jsServer(t, root), "--key-file", key)},
				{"Python", append(pythonServer(t, root, "fleet.py"), "--key-file", key)},
			}
		}, interop.Case{
			Tool: "update_work_item", Arguments: json.RawMessage(`{"id":4711,"state":"Resolved"}`),
			Answers: accept("How was work item 4711 resolved?", `{"resolution":"Duplicate"}`,
				"Which other work item does 4711 duplicate?", `{"original_id":4242,"comment":"same"}`),
			Asked: []string{"How was work item 4711 resolved?", "Which other work item does 4711 duplicate?"},
			Text:  `Work item 4711 is now Resolved as a duplicate of 4242. Comment: "same".`,
		}},
		{"asking", func(t *testing.T) []instance {
			return []instance{
				{"Go", append(askingInGo(t, root), "-key-file", key)},
				{"JavaScript", append(askingInJS(t, root), "--key-file", key)},
				{"Python", append(askingInPython(t, root, "mcpserver"), "--key-file", key)},
			}
		}, interop.Case{
			Tool: "names", Answers: accept("Your name?", `{"a":"Ada"}`, "Your friend's?", `{"a":"Bob"}`),
			Asked: []string{"Your friend's?", "Your name?"},
			Text:  "Ada and Bob",
		}},
	}
	for _, service := range services {
		t.Run(service.name, func(t *testing.T) {
			t.Parallel()
			instances := service.instances(t)
			backends := make([]string, len(instances))
			for i, one := range instances {
				backends[i] = interop.Serve(t, one.command...)
			}
			var order []int
			var cases []interop.Case
			for n := range 27 {
				legs := []int{n / 9, n / 3 % 3, n % 3}
				c := service.call
				c.Name = fmt.Sprintf("%s, %s, %s", instances[legs[0]].language, instances[legs[1]].language, instances[legs[2]].language)
				order, cases = append(order, legs...), append(cases, c)
			}
			for _, client := range []string{"gosdk", "ts", "python", "rust", parleyGo, parleyJS} {
				d := &director{order: order}
				at := target{url: d.direct(t, backends)}
				try(t, withSealed, "fleet of three, "+service.name, client, at, interop.Modern, cases)
				if d.legs != 0 && d.legs != len(order) { // 0: the client cannot be had here
					t.Errorf("%s: %d legs, want %d", client, d.legs, len(order))
				}
			}
		})
	}
}

// director sends the legs of tool calls where an order says, and everything else
// to the first backend.
type director struct {
	order []int // indexes of backends

	mu   sync.Mutex
	legs int
}

// direct returns the URL that all backends are reached under, until the test
// ends.
func (d *director) direct(t *testing.T, backends []string) string {
	targets := make([]*url.URL, len(backends))
	for i, backend := range backends {
		var err error
		if targets[i], err = url.Parse(backend); err != nil {
			t.Fatal(err)
		}
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		target := targets[d.next(r.In.Header)]
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, target.Host
		interop.PassWhole(r)
	}})
	t.Cleanup(proxy.Close)
	return proxy.URL + targets[0].Path
}

func (d *director) next(header http.Header) int {
	if header.Get("Mcp-Method") != "tools/call" {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.legs++
	if d.legs > len(d.order) {
		return 0 // too many, which the test says
	}
	return d.order[d.legs-1]
}

// keyFile is the name of a file with a new key.
func keyFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "keys")
	secret := make([]byte, codec.MinSecret)
	rand.Read(secret)
	if err := os.WriteFile(name, fmt.Appendf(nil, "parley-key/1 %02x %s\n", codec.SuiteXChaCha, base64.RawURLEncoding.EncodeToString(secret)), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func askingInGo(t *testing.T, root string) []string {
	program := filepath.Join(t.TempDir(), "asking")
	build := exec.Command("go", "build", "-o", program, "./tests/interop/asking")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return []string{program}
}

func askingInJS(t *testing.T, root string) []string {
	interop.SetUp(t, "ts")
	if _, err := os.Stat(filepath.Join(root, "hosts/js/dist/parley-codec.wasm")); err != nil {
		skip(t, "hosts/js is not built: run hosts/js/setup.sh")
	}
	return []string{"node", filepath.Join(root, "tests/interop/ts/asking.js")}
}

func askingInPython(t *testing.T, root, kind string, flags ...string) []string {
	return append([]string{python(t, root), filepath.Join(root, "tests/interop/asking/asking.py"), "--kind", kind}, flags...)
}
