package flags_test

import (
	"errors"
	"flag"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/shared-go/flags"
)

type given struct {
	name  string
	json  bool
	port  int
	wait  time.Duration
	roots []string
	level string
}

func (g *given) groups() []flags.Group {
	return []flags.Group{{Text: "First:\n", Flags: []flags.Flag{
		{Name: "name", Value: "NAME", To: &g.name, Text: "what it is called"},
		{Name: "json", To: &g.json, Text: "as JSON"},
		{Name: "port", Value: "PORT", Default: "80", To: &g.port, Text: "where it is"},
	}}, {Flags: []flags.Flag{
		{Name: "wait-for-an-answer", Value: "TIME", Default: "1m", To: &g.wait, Text: "how long, which is told in so many words that they need a second line"},
		{Name: "root", Value: "DIR", To: &g.roots, Text: "a folder"},
		{Name: "level", Value: "LEVEL", To: func(text string) error { g.level = text; return nil }, Text: "high or low"},
	}, Check: func() error {
		if g.level == "none" {
			return errors.New("--level is high or low")
		}
		return nil
	}}}
}

func TestParse(t *testing.T) {
	usual := given{port: 80, wait: time.Minute}
	tests := map[string]struct {
		args          string
		want          given
		before, after []string
		problem       string
	}{
		"nothing":             {want: usual},
		"between the others":  {args: "a --name x b --json", want: given{name: "x", json: true, port: 80, wait: time.Minute}, before: []string{"a", "b"}},
		"with =":              {args: "--name=--json --port=1 --json=false", want: given{name: "--json", port: 1, wait: time.Minute}},
		"several times":       {args: "--root a --root=b --level high --level low", want: given{port: 80, wait: time.Minute, roots: []string{"a", "b"}, level: "low"}},
		"after --":            {args: "a -- --json b", want: usual, before: []string{"a"}, after: []string{"--json", "b"}},
		"nothing after --":    {args: "--wait-for-an-answer 5s --", want: given{port: 80, wait: 5 * time.Second}, after: []string{}},
		"a - is no flag":      {args: "- --json", want: given{json: true, port: 80, wait: time.Minute}, before: []string{"-"}},
		"a flag not there":    {args: "a --nope", problem: "flag provided but not defined: -nope"},
		"a value not there":   {args: "--name", problem: "flag needs an argument: -name"},
		"a value of no use":   {args: "--port here", problem: `invalid value "here" for flag -port`},
		"a check that failed": {args: "--level none", problem: "--level is high or low"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var g given
			groups := g.groups()
			before, after, err := flags.Parse(groups, strings.Fields(tt.args))
			if err == nil {
				err = flags.Check(groups)
			}
			if tt.problem != "" {
				if err == nil || !strings.Contains(err.Error(), tt.problem) {
					t.Errorf("got %v, want %s", err, tt.problem)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(g, tt.want) || !reflect.DeepEqual(before, tt.before) || !reflect.DeepEqual(after, tt.after) {
				t.Errorf("got %+v, %q, %q, %v", g, before, after, err)
			}
		})
	}
	var g given
	if _, _, err := flags.Parse(g.groups(), []string{"a", "--help"}); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("got %v, want ErrHelp", err)
	}
}

func TestHelp(t *testing.T) {
	const want = `
First:
  --name NAME      what it is called
  --json           as JSON
  --port PORT      where it is (default 80)

  --wait-for-an-answer TIME
                   how long, which is told in so many words that they need a
                   second line (default 1m)
  --root DIR       a folder
  --level LEVEL    high or low
`
	if got := flags.Help(new(given).groups()); got != want {
		t.Errorf("got %s", got)
	}
}
