package interop_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/tests/interop"
)

// Calls of the servers in tests/stories, which are alike as far as they go.
var (
	both = []interop.Case{
		{
			Name: "form", Tool: "get_weather", Arguments: json.RawMessage(`{"location":"Oslo"}`),
			Answers: accept("Which units should the weather in Oslo be in?", `{"units":"imperial"}`),
			Text:    "Oslo: 64 °F, light rain, wind 9 mph.",
		},
		{
			Name: "two rounds", Tool: "update_work_item", Arguments: json.RawMessage(`{"id":4711,"state":"Resolved"}`),
			Answers: accept("How was work item 4711 resolved?", `{"resolution":"Duplicate"}`,
				"Which other work item does 4711 duplicate?", `{"original_id":4242,"comment":"same"}`),
			Text: `Work item 4711 is now Resolved as a duplicate of 4242. Comment: "same".`,
		},
		{
			Name: "declined", Tool: "update_work_item", Arguments: json.RawMessage(`{"id":4711,"state":"Resolved"}`),
			Answers: map[string][]interop.Answer{"How was work item 4711 resolved?": {{Action: "decline"}}},
			Text:    "Work item 4711 is unchanged: the user declined to give a resolution.",
		},
	}
	goAndJS = append(slices.Clone(both),
		interop.Case{
			Name: "kinds of fields", Tool: "provision_vm", Arguments: json.RawMessage(`{"size":"medium"}`),
			Answers: accept("A medium machine in westeurope costs 48 EUR a month, and each data disk 5 EUR more. Provision it?",
				`{"confirm":true,"disks":2,"tags":["prod"]}`),
			Text: "Provisioned a medium machine in westeurope with 2 data disk(s) and tags prod for 58 EUR a month.",
		},
		interop.Case{
			Name: "prompt", Prompt: "code_review", Arguments: json.RawMessage(`{"code":"x"}`),
			Answers: accept("What is to be reviewed, and for what?", `{"language":"Go","focus":"security"}`),
			Text:    "Review this Go code for security.\n\nx",
		},
		interop.Case{
			Name: "resource", Resource: "parley://report/quarterly",
			Answers: accept("Which quarter do you want the figures of?", `{"quarter":"Q3"}`),
			Text:    "| Quarter | Orders |\n|---|---|\n| Q3 | 1280 |\n",
		},
	)
	goOnly = append(slices.Clone(goAndJS),
		interop.Case{
			Name: "three kinds", Tool: "plan_trip", Arguments: json.RawMessage(`{"destination":"Rome"}`),
			Answers: accept("When do you want to go to Rome, and how?", `{"start":"2026-12-01","days":3,"pace":"busy"}`),
			Asked:   []string{"When do you want to go to Rome, and how?", "roots", "sampling: Name three things to see in Rome, in one sentence."},
			Text:    "3 busy days in Rome from 2026-12-01, kept in " + interop.Root + ". " + interop.Sampled,
		},
		interop.Case{
			Name: "roots without a state", Tool: "list_files", Asked: []string{"roots"}, Text: interop.Root,
		},
		interop.Case{
			Name: "nothing but a state", Tool: "busy_report", Arguments: json.RawMessage(`{"waits":2}`),
			Text: "The report is ready after 2 wait(s).",
		},
		interop.Case{
			Name: "page declined", Tool: "connect_account",
			Answers: map[string][]interop.Answer{"Confirm on our page that your calendar account may be connected.": {{Action: "decline"}}},
			Text:    "Nothing was connected: the user declined.",
		},
	)
	workers = []interop.Case{{
		Name: "two rounds", Tool: "book_table", Arguments: json.RawMessage(`{"day":"Monday"}`),
		Answers: accept("Which sitting on Monday?", `{"sitting":"late"}`, "How many seats at the late sitting on Monday?", `{"seats":4}`),
		Text:    "Booked for Monday: 4 seats at the late sitting.",
	}}
)

// accept answers each message with a content.
func accept(pairs ...string) map[string][]interop.Answer {
	answers := map[string][]interop.Answer{}
	for i := 0; i < len(pairs); i += 2 {
		answers[pairs[i]] = []interop.Answer{{Action: "accept", Content: json.RawMessage(pairs[i+1])}}
	}
	return answers
}

// TestSealed has every client play against the servers that seal their states
// with Parley's codec: to a client, a sealed state is like any other.
func TestSealed(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	servers := []struct {
		name    string
		command func(*testing.T) []string
		cases   []interop.Case
	}{
		{"go", func(t *testing.T) []string { return goServer(t, root) }, goOnly},
		{"js", func(t *testing.T) []string { return jsServer(t, root) }, goAndJS},
		{"python, fleet", func(t *testing.T) []string { return pythonServer(t, root, "fleet.py") }, both},
		{"python, workers", func(t *testing.T) []string { return pythonServer(t, root, "workers.py") }, workers},
	}
	for _, server := range servers {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			at := target{url: interop.Serve(t, server.command(t)...)}
			for i, c := range server.cases { // asked is what was answered, unless it is more
				if c.Asked == nil {
					for message := range c.Answers {
						server.cases[i].Asked = append(server.cases[i].Asked, message)
					}
					slices.Sort(server.cases[i].Asked)
				}
			}
			for _, client := range []string{"gosdk", "ts", "python", "rust", parleyGo, parleyJS} {
				if client == "gosdk" && server.name == "go" {
					continue // tests/stories/go-server/stories has this one
				}
				try(t, withSealed, server.name, client, at, interop.Modern, server.cases)
			}
		})
	}
}

func goServer(t *testing.T, root string) []string {
	program := filepath.Join(t.TempDir(), "go-server")
	build := exec.Command("go", "build", "-o", program, "./tests/stories/go-server")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return []string{program, "-addr", "127.0.0.1:0"}
}

func jsServer(t *testing.T, root string) []string {
	folder := filepath.Join(root, "tests/stories/js-server")
	for _, needed := range []string{filepath.Join(folder, "node_modules"), filepath.Join(root, "hosts/js/dist/parley-codec.wasm")} {
		if _, err := os.Stat(needed); err != nil {
			skip(t, "tests/stories/js-server is not installed: see its README")
		}
	}
	return []string{"node", filepath.Join(folder, "main.js"), "--port", "0"}
}

func pythonServer(t *testing.T, root, program string) []string {
	return []string{python(t, root), filepath.Join(root, "tests/stories/python-server", program), "--addr", "127.0.0.1:0"}
}

// python is the Python of the environment that the servers run in.
func python(t *testing.T, root string) string {
	path, err := exec.Command(filepath.Join(root, "examples/python-server/setup.sh")).Output()
	if err != nil {
		skip(t, "there is no Python environment: see examples/python-server/setup.sh")
	}
	return strings.TrimSpace(string(path))
}

func skip(t *testing.T, why string) {
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}
