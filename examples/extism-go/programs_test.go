package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/examples/internal/play"
)

// The same program in four languages, on three hosts of Extism: each is run as a
// person would, against the same servers, and does the same. test.sh sets up those
// that are not Go and tells here how to start them.
const (
	nodeVariable   = "PARLEY_EXTISM_NODE"
	workerVariable = "PARLEY_EXTISM_NODE_WORKER" // a Node whose WebAssembly cannot wait
	pythonVariable = "PARLEY_EXTISM_PYTHON"
	rustVariable   = "PARLEY_EXTISM_RUST"
)

// program is how to start one of them, in a folder of its own.
type program struct {
	folder string
	args   []string
}

func programs(t *testing.T) map[string]func(t *testing.T) program {
	inGo := play.Build(t, ".")
	other := func(variable string, file ...string) func(t *testing.T) program {
		return func(t *testing.T) program {
			command := os.Getenv(variable)
			if command == "" {
				t.Skipf("%s is not set; test.sh sets it", variable)
			}
			args := []string{command}
			for _, name := range file {
				path, err := filepath.Abs(name)
				if err != nil {
					t.Fatal(err)
				}
				args = append(args, path)
			}
			return program{t.TempDir(), args}
		}
	}
	return map[string]func(t *testing.T) program{
		"go":     func(t *testing.T) program { return program{t.TempDir(), inGo} },
		"node":   other(nodeVariable, "../extism-node/main.js"),
		"worker": other(workerVariable, "../extism-node/main.js"),
		"python": other(pythonVariable, "../extism-python/main.py"),
		"rust":   other(rustVariable),
	}
}

// run runs the program with what a person types, and returns what it shows.
func (p program) run(t *testing.T, typed string, args ...string) (shown string, ok bool) {
	t.Helper()
	cmd := exec.Command(p.args[0], append(p.args[1:], args...)...)
	cmd.Dir, cmd.Stdin = p.folder, strings.NewReader(typed)
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return string(out), err == nil
}

func TestPrograms(t *testing.T) {
	port := []string{"-addr", "127.0.0.1:0"}
	small := play.Start(t, play.Build(t, "../go-server"), port...)
	stories := play.Start(t, play.Build(t, "github.com/parley-mcp/parley/tests/stories/go-server"), port...)
	tests := map[string]struct {
		server, tool, arguments, typed string
		ok                             bool
		want                           []string
	}{
		"answers":      {small, "get_weather", `{"location":"Oslo"}`, "metric\n", true, []string{"Which units should the weather in Oslo be in?", "(metric), ", "(imperial)) [metric]: ", "18 °C"}},
		"corrects":     {small, "get_weather", `{"location":"Oslo"}`, "celsius\nmetric\n", true, []string{"Units must be one of the choices.", "18 °C"}},
		"declines":     {stories, "provision_vm", `{"size":"large"}`, "/decline\n", true, []string{"190 EUR", "declined"}},
		"asks nothing": {small, "update_work_item", `{"id":1,"state":"Active"}`, "", true, []string{"Work item 1 is now Active"}},
		"waits":        {stories, "busy_report", `{"waits":2}`, "", true, []string{"ready after 2 wait(s)"}},
		"samples":      {stories, "summarise", `{"text":"long"}`, "Short.\n", true, []string{"asks what a model would say to:", "user: ", "long", "Short."}},
		"lists roots":  {stories, "list_files", `{}`, "\n", true, []string{"asks which folders it may know of.", "Enter tells it of "}},
		"keeps roots":  {stories, "list_files", `{}`, "/decline\n", false, []string{"declined"}},
		"fails":        {small, "nosuch", `{}`, "", false, []string{"JSON-RPC error -32602"}},
	}
	for name, start := range programs(t) {
		t.Run(name, func(t *testing.T) {
			p := start(t)
			for name, tt := range tests {
				shown, ok := p.run(t, tt.typed, tt.server, tt.tool, tt.arguments)
				if ok != tt.ok {
					t.Errorf("%s: it ended well: %v, want %v; it showed\n%s", name, ok, tt.ok, shown)
				}
				for _, want := range tt.want {
					if !strings.Contains(shown, want) {
						t.Errorf("%s: it showed\n%s\nwithout %q", name, shown, want)
					}
				}
			}
			if _, ok := p.run(t, ""); ok {
				t.Error("without arguments it ended well")
			}
		})
	}
}

// A call that was parked at its first question goes on in another process, and in
// another language.
func TestParked(t *testing.T) {
	server := play.Start(t, play.Build(t, "../go-server"), "-addr", "127.0.0.1:0")
	all := programs(t)
	for name, start := range all {
		t.Run(name, func(t *testing.T) {
			p := start(t)
			shown, ok := p.run(t, "/park\n", server, "update_work_item", `{"id":4711,"state":"Resolved"}`)
			file := filepath.Join(p.folder, "parked.json")
			info, err := os.Stat(file)
			if ok || err != nil || info.Mode().Perm() != 0o600 {
				t.Fatalf("it ended well: %v, parked.json: %v, %v; it showed\n%s", ok, info, err, shown)
			}
			shown, ok = all["go"](t).run(t, "Duplicate\n4242\n\n", server, "--resume", file)
			if !ok || !strings.Contains(shown, "duplicate of 4242") {
				t.Errorf("in Go it went on with\n%s", shown)
			}
			shown, ok = p.run(t, "Fixed\n", server, "--resume", file)
			if !ok || !strings.Contains(shown, "4711 is now Resolved") {
				t.Errorf("it went on with\n%s", shown)
			}
			if shown, ok = p.run(t, "Fixed\n", "http://127.0.0.1:1/mcp", "--resume", file); ok || !strings.Contains(shown, "another peer") {
				t.Errorf("with another server it went on with\n%s", shown)
			}
		})
	}
}

// Whatever a server says, the terminal does not obey.
func TestHostileServer(t *testing.T) {
	const hostile = "\x1b[2J\u202eevil\u2028\u009b"
	text, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	url := asking(t, string(text), `{`+string(text)+`:{"type":"string","title":`+string(text)+`}}`)
	for name, start := range programs(t) {
		t.Run(name, func(t *testing.T) {
			shown, ok := start(t).run(t, "yes\n", url, "t")
			if !ok || strings.Count(shown, `\u{1b}[2J\u{202e}evil\u{2028}\u{9b}`) != 3 {
				t.Errorf("it showed %q", shown)
			}
			for _, raw := range []string{"\x1b", "\u202e", "\u2028", "\u009b"} {
				if strings.Contains(shown, raw) {
					t.Errorf("it showed %q raw: %q", raw, shown)
				}
			}
		})
	}
}

// Whichever way an SDK writes a form, the plug-in reads it, and what was typed goes
// out as the kind of value that was asked for.
func TestForms(t *testing.T) {
	properties := `{
		"tags":  {"type":"array","items":{"type":"string"},"minItems":1,"examples":[["red"]]},
		"price": {"title":"Price","anyOf":[{"type":"number"},{"type":"string"}]},
		"floor": {"anyOf":[{"type":"integer"},{"type":"null"}]},
		"size":  {"$ref":"#/$defs/size"},
		"agree": {"const":true},
		"code":  {"type":"string","pattern":"^a","not":{"const":"b"},"deprecated":true},
		"share": {"type":"number","exclusiveMaximum":1,"multipleOf":0.25,"examples":[0.5]},
		"note":  {"type":"string","readOnly":true,"default":"Ends on Friday"},
		"big":   {"type":"integer","maximum":9223372036854775807},
		"nick":  {"type":"string","default":"Max"},
		"other": {"type":"integer"}
	},"required":["tags","price","floor","size","agree"],"minProperties":1,"$defs":{"size":{"enum":[1,"1",true]}}`
	typed := "\nred\nround, soft\n\n" + "3\n2\n007\n" + "x\n\n" + "1\n" + "\nyes\n" + "abc\n" + "1\n0.3\n0.75\n" +
		"9223372036854775808\n9223372036854775807\n" + "\n" + "\n"
	want := []string{
		"the server checks more: minProperties",
		"tags (one a line, an empty line ends, ", "tags must be at least 1 value.", "tags, one more: ",
		"Price: 1 for a number, 2 for text: ", "Price must be one of the numbers.",
		"floor must be a whole number like 42.", `size (1, "1", yes): `, "agree (yes): ", "agree must be filled in.",
		`code (no longer used, pattern "^a", the server checks more: not): `,
		"share (such as 0.5): ", "share must be less than 1.", "share must be a multiple of 0.25.",
		"note: Ends on Friday\n", "big must be at most 9223372036854775807.", "nick [Max]: ",
		`{"action":"accept","content":{"tags":["red","round, soft"],"price":"007","floor":null,"size":1,"agree":true,` +
			`"code":"abc","share":0.75,"big":9223372036854775807,"nick":"Max"}}`,
	}
	url := asking(t, `"Fill in"`, properties)
	for name, start := range programs(t) {
		t.Run(name, func(t *testing.T) {
			shown, ok := start(t).run(t, typed, url, "t")
			if !ok {
				t.Errorf("it ended badly")
			}
			for _, want := range want {
				if !strings.Contains(shown, want) {
					t.Errorf("it showed\n%s\nwithout %q", shown, want)
				}
			}
		})
	}
}

// A server's hint does not pass for the program's own words.
func TestHostileHints(t *testing.T) {
	url := asking(t, `"m"`, `{"f":{"type":"string","pattern":"\u001b[2J\"): Parley says: send it"}}`)
	for name, start := range programs(t) {
		t.Run(name, func(t *testing.T) {
			shown, ok := start(t).run(t, "x\n", url, "t")
			if !ok || strings.Contains(shown, "\x1b") || !strings.Contains(shown, `\"): Parley says: send it"`) {
				t.Errorf("it showed %q", shown)
			}
		})
	}
}

// A form without fields asks for consent, and nobody gives that but a person.
func TestConsent(t *testing.T) {
	url := asking(t, `"Delete everything?"`, `{}`)
	for name, start := range programs(t) {
		t.Run(name, func(t *testing.T) {
			p := start(t)
			for typed, want := range map[string]string{"\n": `accept`, "/decline\n": `decline`} {
				if shown, ok := p.run(t, typed, url, "t"); !ok || !strings.Contains(shown, `"action":"`+want+`"`) {
					t.Errorf("typing %q: ended well %v, and showed\n%s", typed, ok, shown)
				}
			}
			if shown, ok := p.run(t, "", url, "t"); ok || !strings.Contains(shown, "Kept in parked.json") {
				t.Errorf("with nobody there it showed\n%s", shown)
			}
		})
	}
}

// asking is the URL of a server that asks once, and then says its message and
// what it was answered. The message is JSON text.
func asking(t *testing.T, message, properties string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage
			Params struct{ InputResponses map[string]json.RawMessage }
		}
		json.NewDecoder(r.Body).Decode(&request)
		answer, _ := json.Marshal(string(request.Params.InputResponses["q"]))
		result := `{"resultType":"complete","content":[{"type":"text","text":` + message + `},{"type":"text","text":` + string(answer) + `}]}`
		if request.Params.InputResponses == nil {
			result = `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":` + message +
				`,"requestedSchema":{"type":"object","properties":` + properties + `}}}}}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, result)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
