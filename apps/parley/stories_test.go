package main_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestStories goes through every story of the story server unattended, with
// both engines.
func TestStories(t *testing.T) {
	t.Parallel()
	const (
		units       = `{"answers":[{"key":"units","action":"accept","content":{"units":"imperial"}}]}`
		preferences = `{"key":"preferences","action":"accept","content":{"start":"2026-10-01","days":2}}`
	)
	dir := t.TempDir()
	tests := map[string]struct {
		args   []string // without the URL
		script string
		sample bool
		code   int
		stdout string
		says   []string // on standard error, in order
	}{
		"weather": {[]string{"call", "get_weather", "location=Oslo"}, units, false,
			0, "Oslo: 64 °F, light rain, wind 9 mph.\n",
			[]string{" asks\n", "for the tool get_weather · question 1 of round 1, key units\n", "│ Which units should the weather in Oslo be in?\n", "→ answered\n", "  Units: Imperial (°F, mph)\n"}},
		"weather declined": {[]string{"call", "get_weather", "location=Oslo"}, `{"answers":[{"key":"units","action":"decline"}]}`, false,
			0, "Oslo: 18 °C, light rain, wind 15 km/h.\n", []string{"→ declined\n"}},
		"weather dismissed": {[]string{"call", "get_weather", "location=Oslo"}, `{"answers":[{"key":"units","action":"cancel"}]}`, false,
			0, "The user cancelled: no weather for Oslo.\n", []string{"→ dismissed\n"}},
		"weather stopped": {[]string{"call", "get_weather", "location=Oslo"}, `{"answers":[{"key":"units","action":"stop"}]}`, false,
			4, "", []string{"→ stopped\n", "parley: you stopped the call to the tool get_weather\n"}},
		"weather answered badly": {[]string{"call", "get_weather", "location=Oslo"},
			`{"answers":[{"key":"units","action":"accept","content":{"units":"kelvin"}},{"key":"units","action":"accept","content":{"more":1}},{"key":"units","action":"accept","content":{"units":"metric"}}]}`, false,
			0, "Oslo: 18 °C, light rain, wind 15 km/h.\n", []string{"question 1 of round 1", "  Units: kelvin\n", "warning: this cannot be sent: \"units\" must be one of the choices\n", "  more: 1\n", "is not part of the question", "→ answered\n  Units: Metric"}},
		"accept without content": {[]string{"call", "get_weather", "location=Oslo"}, `{"answers":[{"key":"units","action":"accept"}]}`, false,
			3, "", []string{`accepts the question "units" without a content, and it asks for one: {"units": <"metric" or "imperial"`, "parked as ", ": resume it with  parley resume "}},
		"no answer": {[]string{"call", "update_work_item", "id:=7", "state=Resolved"},
			`{"answers":[{"key":"resolution","action":"accept","content":{"resolution":"Duplicate"}},{"key":"dup","action":"decline"}]}`, false,
			3, "", []string{`answers.json has no answer left for the question "duplicate"; add one to its "answers": {"key": "duplicate", "action": "accept", "content": {"original_id": <integer>, "comment": <text, optional>}}`,
				"warning: ", "nothing asked for answers[1] (dup)\n"}},
		"work item": {[]string{"call", "update_work_item", `{"id": 4711, "state": "Resolved"}`}, "demo.json", false,
			0, "Work item 4711 is now Resolved as a duplicate of 4242. Comment: \"The same crash, reported a day earlier.\".\n",
			[]string{"question 1 of round 1, key resolution", "  Resolution: Duplicate\n", "question 1 of round 2, key duplicate", "  Original work item: 4242\n", "  Comment: The same crash, reported a day earlier.\n"}},
		"vm": {[]string{"call", "provision_vm", "size=small"},
			`{"answers":[{"key":"confirm","action":"accept","content":{"confirm":true,"disks":2,"tags":["test","dev"]}}]}`, false,
			0, "Provisioned a small machine in westeurope with 2 data disk(s) and tags dev, test for 22 EUR a month.\n",
			[]string{"  I accept the monthly cost: yes\n", "  Data disks: 2\n", "  Tags: Test, Development\n"}},
		"summarise by command": {[]string{"call", "summarise", "text=one two", "--sample-yes", "--sample-model", "counter"}, "", true,
			0, "5 words.\n", []string{"asks for a model's answer\n", "system:\n│ You summarise texts in one sentence.\n", "user:\n│ Summarise this text:\n│\n│ one two\n", "counter says:\n│ 5 words.\n", "→ answered by counter\n"}},
		"summarise by script": {[]string{"call", "summarise", "text=x"}, `{"sample":[{"key":"summary","text":"Short.","model":"m"}]}`, false,
			0, "Short.\n", []string{"→ answered by m\n"}},
		"summarise, no model": {[]string{"call", "summarise", "text=x"}, "", false,
			3, "", []string{"answered with error -32021: This needs a client that declares the sampling capability", "(--sample-cmd gives it a model)\n"}},
		"summarise, nobody allows it": {[]string{"call", "summarise", "text=x"}, "", true,
			3, "", []string{"nobody is here to allow it: run parley in a terminal, or give --sample-yes\n"}},
		"list files": {[]string{"call", "list_files", "--root", dir, "--root=."}, "", false,
			0, "001 (" + fileURI(dir) + ")\nparley (" + fileURI(mustAbs(t, ".")) + ")\n", []string{"asks for the folders it may work on\n", "→ shared 2 folders\n", "  001: " + fileURI(dir) + "\n"}},
		"list files by script": {[]string{"call", "list_files"}, `{"roots":[{"uri":"file:///x%20y","name":"x y"}]}`, false,
			0, "x y (file:///x%20y)\n", []string{"→ shared 1 folder\n"}},
		"list files, none": {[]string{"call", "list_files"}, `{"roots":[]}`, false,
			0, "The client shares no roots.\n", []string{"→ shared no folders\n"}},
		"plan trip": {[]string{"call", "plan_trip", "destination=Rome", "--sample-yes", "--root", dir}, `{"answers":[` + preferences + `]}`, true,
			0, "2 relaxed days in Rome from 2026-10-01, kept in " + fileURI(dir) + ". 10 words.\n",
			[]string{"question 1 of round 1, key folders", "question 2 of round 1, key ideas", "question 3 of round 1, key preferences"}},
		"busy": {[]string{"call", "busy_report", "waits:=2", "--trace"}, "", false,
			0, "The report is ready after 2 wait(s).\n", []string{"→ leg 1  tools/call  46 bytes\n", "← leg 1  input_required  ", "  waits until ", "→ leg 3  tools/call", "← leg 3  complete"}},
		"prompt": {[]string{"prompt", "code_review", "code=x := 1"},
			`{"answers":[{"key":"review","action":"accept","content":{"language":"Go","focus":"security"}}]}`, false,
			0, "Review this Go code for security.\n\nx := 1\n", []string{"for the prompt code_review · question 1 of round 1, key review\n", "  Focus: Is it safe?\n"}},
		"prompt cancelled": {[]string{"prompt", "code_review"}, `{"answers":[{"key":"review","action":"cancel"}]}`, false,
			3, "", []string{`answered with error -32602: The user cancelled the code review {"reason":"refused"} (it does not go on from where it was, maybe because the answers came too late)`, "parked as ", "start it over, with what was answered filled in, by  parley resume "}},
		"resource": {[]string{"read", "parley://report/quarterly"}, `{"answers":[{"key":"quarter","action":"accept","content":{"quarter":"Q2"}}]}`, false,
			0, "| Quarter | Orders |\n|---|---|\n| Q2 | 1350 |\n", []string{"for the resource parley://report/quarterly"}},
		"nobody there": {[]string{"read", "parley://report/quarterly"}, "", false,
			3, "", []string{"nobody is here to answer: run parley in a terminal, or give it a file of answers with --script\n"}},
	}
	url := server(t)
	for _, engine := range []string{"wasm", "native"} {
		for name, tt := range tests {
			t.Run(engine+"/"+name, func(t *testing.T) {
				t.Parallel()
				args := append([]string{tt.args[0], url}, tt.args[1:]...)
				args = append(args, "--engine", engine)
				if strings.HasSuffix(tt.script, ".json") {
					args = append(args, "--script", tt.script)
				} else if tt.script != "" {
					args = append(args, "--script", file(t, tt.script))
				}
				if tt.sample {
					args = append(args, "--sample-cmd", sampleCommand())
				}
				got := run(t, "", args...)
				got.check(t, tt.code, tt.stdout)
				got.says(t, tt.says...)
				if strings.Contains(got.stderr, "\x1b") || strings.Contains(got.stderr, "\r") {
					t.Errorf("escape sequences without a terminal: %q", got.stderr)
				}
			})
		}
	}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// fileURI is for paths that need no escapes.
func fileURI(path string) string { return "file://" + filepath.ToSlash(path) }
