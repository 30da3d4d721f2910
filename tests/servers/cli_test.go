package servers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/tests/interop"
)

// cli is the route through apps/parley, as a person types it. Over stdio it prints what people read, over HTTP the JSON.
type cli struct {
	server server
	place  place
	url    string // or its command
	stdio  []string
}

func newCLI(t *testing.T, s server) *cli {
	t.Helper()
	c := &cli{server: s, place: s.newPlace(t)}
	if s.http != nil {
		c.url = s.start(t, c.place)
	} else {
		c.stdio = s.command(t, c.place)
	}
	return c
}

// ran is how parley ended.
type ran struct {
	code           int
	stdout, stderr string
}

func (c *cli) run(t *testing.T, verb string, operands []string, flags ...string) ran {
	t.Helper()
	args := []string{verb}
	if c.url != "" {
		args = append(args, c.url)
	}
	args = append(append(args, operands...), flags...)
	if c.server.pinned {
		args = append(args, "--protocol-version", c.server.speaks)
	}
	if c.server.timeout != 0 {
		args = append(args, "--timeout", c.server.timeout.String())
	}
	if c.stdio != nil {
		args = append(append(args, "--"), c.stdio...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), interop.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(work, "parley"), args...)
	cmd.Dir, cmd.Env = c.place.dir, c.server.environ(c.place)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return ran{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// can are the flags that declare what can be asked.
func (c *cli) can() (flags []string) {
	if c.server.sampling {
		flags = append(flags, "--sample-cmd", filepath.Join(work, "model"), "--sample-yes")
	}
	if c.server.roots {
		flags = append(flags, "--root", c.place.dir)
	}
	return flags
}

// version is which one is spoken.
func (c *cli) version(t *testing.T) string {
	t.Helper()
	r := c.run(t, "discover", nil, "--json")
	var said struct{ ProtocolVersion string }
	if err := json.Unmarshal([]byte(r.stdout), &said); err != nil || r.code != 0 {
		t.Errorf("parley discover: exit code %d, %v\n%s%s", r.code, err, r.stdout, r.stderr)
	}
	return said.ProtocolVersion
}

// list is everything that parley lists: tools.
func (c *cli) list(t *testing.T) (l listing, problems []string) {
	t.Helper()
	var flags []string
	if c.server.listsByClient {
		flags = append(c.can(), "--script", c.script(t, call{}))
	}
	r := c.run(t, "tools", nil, append(flags, "--json")...)
	if r.code != 0 {
		return l, []string{fmt.Sprintf("parley tools: exit code %d\n%s", r.code, r.stderr)}
	}
	var said struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal([]byte(r.stdout), &said); err != nil {
		return l, []string{err.Error()}
	}
	l.tools = []string{}
	for _, tool := range said.Tools {
		l.tools = append(l.tools, tool.Name)
	}
	return l, r.warnings()
}

// script is a file with the answers to a call's forms.
func (c *cli) script(t *testing.T, one call) string {
	t.Helper()
	type answer struct {
		Key     string          `json:"key"`
		Action  string          `json:"action"`
		Content json.RawMessage `json:"content,omitempty"`
	}
	key := ""
	if c.server.speaks >= "2026-07-28" {
		key = c.server.key
	}
	answers := []answer{}
	for _, f := range one.forms {
		answers = append(answers, answer{key, f.action(), json.RawMessage(f.content)})
	}
	for _, kind := range one.asks {
		if kind == "page" {
			answers = append(answers, answer{key, "accept", nil})
		}
	}
	text, err := json.Marshal(map[string]any{"answers": answers})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// play makes a call.
func (c *cli) play(t *testing.T, one call) []string {
	t.Helper()
	one = c.server.fillIn(one, c.place)
	verb, target := one.target()
	operands := []string{target}
	if one.arguments != "" {
		operands = append(operands, one.arguments)
	}
	flags := append([]string{"--no-save"}, c.can()...)
	if len(one.forms) > 0 || slices.Contains(one.asks, "page") {
		flags = append(flags, "--script", c.script(t, one))
	}
	if one.steps > 0 {
		flags = append(flags, "--trace")
	}
	if one.log != "" {
		flags = append(flags, "--log-level", "info")
	}
	if one.task {
		flags = append(flags, "--task")
	}
	if c.url != "" {
		flags = append(flags, "--json")
	}
	r := c.run(t, verb, operands, flags...)
	o := outcome{
		failed: r.code == 1, asked: r.asked(c.server.asksRoots), logs: r.stderr, strange: r.warnings(),
	}
	if one.steps > 0 {
		o.steps = len(regexp.MustCompile(`(?m)^← leg \d+  progress  `).FindAllString(r.stderr, -1))
	}
	switch {
	case r.code > 1:
		_, o.refused, _ = strings.Cut("\n"+r.stderr, "\nparley: ")
	case c.url != "":
		o.raw = []byte(r.stdout)
	default:
		o.printed = r.stdout
	}
	if c.server.logsAside { // parley does not wait for them
		one.log = ""
	}
	problems := one.problems(o)
	if one.after != nil {
		if err := one.after(c.place.dir); err != nil {
			problems = append(problems, err.Error())
		}
	}
	if len(problems) > 0 {
		typed := strings.Join(slices.Concat([]string{"parley", verb}, operands, flags), " ")
		problems = append(problems, fmt.Sprintf("exit code %d of %s, which said\n%s", r.code, typed, r.stderr))
	}
	return problems
}

// headings say what is asked. What a server logs stands behind a bar.
var headings = regexp.MustCompile(`(?m)^[^│\n]+ asks( to open a page| the same again: .* page| for a model's answer| for the folders it may work on)?$`)

func (r ran) asked(butRoots bool) (kinds []string) {
	for _, found := range headings.FindAllStringSubmatch(r.stderr, -1) {
		kind := map[string]string{
			"": "form", " for a model's answer": "sampling", " for the folders it may work on": "roots",
		}[found[1]]
		if kind == "" { // to open a page, or the same again
			kind = "page"
		}
		if kind != "roots" || !butRoots {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func (r ran) warnings() []string {
	return regexp.MustCompile(`(?m)^warning: .*$`).FindAllString(r.stderr, -1)
}

func (c *cli) close(*testing.T) {}
