package coverage

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write README.md")

// TestPage holds README.md to what there is.
func TestPage(t *testing.T) {
	got, err := page("../..")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("README.md is not what features.txt and the suite's lists say: run go test ./coverage -update")
	}
}

// TestFaults has lines that nothing proves.
func TestFaults(t *testing.T) {
	const head, rest = "A feature\n  2026-07-28\n", "\n  2025-11-25, 2025-06-18: none, it is new\n"
	all := "    scripts http-round\n    terminal - no\n    bridge - no\n    plugin - no"
	suite, err := readSuite("../..")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ text, want string }{
		"fine":                        {head + all + rest, ""},
		"a cell without anything":     {head + "    scripts http-round\n    terminal - no\n    bridge - no" + rest, "nothing proves it for Plug-in"},
		"a script that is gone":       {head + "    scripts http-gone" + rest, "no script http-gone"},
		"a script of another version": {head + "    scripts agreed-round" + rest, "does not speak 2026-07-28"},
		"a flow of another era":       {head + "    flows earlier-ask" + rest, "does not speak 2026-07-28"},
		"a Go test that is gone":      {head + all + "\n    go hosts/go/run_test.go TestGone" + rest, "has no test TestGone"},
		"a Go subtest that is gone":   {head + all + "\n    go hosts/go/run_test.go TestFailures/gone for good" + rest, "has no test"},
		"a JavaScript test gone":      {head + all + "\n    node hosts/js/test/session.test.js nothing like it" + rest, "has no test"},
		"a file that is gone":         {head + all + "\n    go hosts/go/gone_test.go TestGone" + rest, "no such file"},
		"a file without a test":       {head + all + "\n    go hosts/go/run_test.go" + rest, "no test is named"},
		"a scenario that is not run":  {head + all + "\n    suite auth/dpop" + rest, "does not run auth/dpop"},
		"a column that is none":       {head + all + "\n    desk - no" + rest, "no column desk"},
		"a version forgotten":         {head + all + "\n  2025-11-25: none, it is new\n", "says nothing of 2025-06-18"},
		"a version twice":             {head + all + "\n  2026-07-28: none, no\n" + rest, "one that was there"},
		"no proof":                    {head + "    go\n" + rest, "no proof"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, err := parse(tt.text)
			if err == nil {
				_, err = (&source{root: "../..", suite: suite, texts: map[string]string{}}).table(f, "2026-07-28")
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
