package forms_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/engine/form"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/interop"
)

// The ways in which each form is filled in: everything as a person types it; what is required and nothing else; and what is
// at the limits of what the form allows, after an answer that is not allowed.
const (
	everything = "everything"
	required   = "required"
	edges      = "edges"
)

var ways = []string{everything, required, edges}

// offer is a type that a server asks with, as it lists it.
type offer struct {
	Kind    string // flat, nested or secret
	Schema  json.RawMessage
	Refuses string // why the SDK's own way to ask does not take it, so that the server has to ask otherwise
}

// answer is what a form was filled in with.
type answer struct {
	of              int // the type
	schema, content json.RawMessage
	problem         *form.Problem // what Check says
	fields          []string      // what it answers
	unchecked       []string      // fields of which only the server checks all; "" for the whole answer
	limit           string        // what the SDK does not take, whatever the form says
	posted, taken   bool
	said            string         // by the server that did not take it
	judged          [2][][2]string // what jsonschema and ajv find wrong: pairs of a property and a keyword
}

// turn is a call in which a form is filled in.
type turn struct {
	t    *testing.T
	row  *row
	dice *dice
	of   int
	way  string

	mu     sync.Mutex
	asked  int
	bad    json.RawMessage // the answer given first, which is not allowed; nil if there is none
	answer *answer
}

// visit has a server ask with every type.
func (r *row) visit(t *testing.T) {
	s := r.server
	command := s.make(t)
	var now *turn // the calls are made one after another
	elicit := func(_ context.Context, q parley.Question) ([]byte, error) { return now.elicit(q) }
	opts := parley.SessionOptions{
		ClientInfo:   parley.Implementation{Name: "forms", Version: "1"},
		Askers:       parley.Askers{Elicit: elicit},
		Versions:     []string{"2026-07-28"},
		ProbeTimeout: interop.Patience, // a server that starts slowly is not one of the earlier era
	}
	if s.legacy {
		opts.Versions = []string{"2025-11-25"}
	}
	session, err := parley.NewSession(parley.Native{}, &parley.Stdio{Command: func() *exec.Cmd {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "FASTMCP_CHECK_FOR_UPDATES=off")
		return cmd
	}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	call := func(tool string, arguments any) string {
		ctx, cancel := context.WithTimeout(t.Context(), interop.Patience)
		defer cancel()
		res, err := session.CallTool(ctx, parley.ToolCall{Name: tool, Arguments: arguments})
		if err != nil {
			return err.Error()
		}
		text := ""
		for _, c := range res.Content {
			text += c.Text
		}
		return text
	}
	if text := call("types", nil); json.Unmarshal([]byte(text), &r.offers) != nil || len(r.offers) != 200 {
		t.Fatalf("the server does not list 200 types: %.300s", text)
	}
	for i, o := range r.offers {
		tool := "ask"
		if o.Refuses != "" && s.other != "" {
			tool = s.other
		}
		_, problem := form.Parse(o.Schema)
		for _, way := range ways {
			now = &turn{t: t, row: r, dice: newDice(s.name, i, way), of: i, way: way}
			said := call(tool, map[string]int{"type": i})
			if (problem == nil) != (now.asked > 0) {
				t.Errorf("type %d: form.Parse says %v, and the person was asked %d times (%s): %s", i, problem, now.asked, said, o.Schema)
			}
			if now.asked == 0 {
				break
			}
			if now.bad != nil && now.asked == 1 {
				t.Errorf("type %d: an answer that is not allowed was posted: %s: %s", i, now.bad, o.Schema)
			}
			if a := now.answer; a != nil {
				a.posted, a.taken = true, said == "taken"
				if !a.taken {
					a.said = said
				}
				r.answers = append(r.answers, a)
			}
		}
		r.problems = append(r.problems, problem)
		if problem == nil {
			r.vary(i)
		}
	}
	r.visited = true
}

// elicit fills a form in. Of the last way it first gives an answer that Check refuses, if it finds one: that must not be
// posted, and it is asked again.
func (n *turn) elicit(q parley.Question) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var params struct{ RequestedSchema json.RawMessage }
	if err := json.Unmarshal(q.Params, &params); err != nil {
		return nil, err
	}
	schema, problem := form.Parse(params.RequestedSchema)
	if problem != nil {
		n.t.Errorf("type %d: a person is asked who cannot be: %v: %s", n.of, problem, params.RequestedSchema)
		return parley.Decline(), nil
	}
	n.asked++
	if n.asked == 1 && !alike(params.RequestedSchema, n.row.offers[n.of].Schema) {
		n.t.Errorf("type %d: the server lists %s and asks with %s", n.of, n.row.offers[n.of].Schema, params.RequestedSchema)
	}
	if n.way == edges && n.asked == 1 {
		for range 5 {
			if bad := vary(n.dice, schema); schema.Check(bad) != nil {
				n.bad = bad
				return parley.Accept(bad)
			}
		}
	} else if n.asked == 2 && n.way == edges && q.Problem != "" {
		n.row.again++
	} else if n.asked > 1 {
		n.t.Errorf("type %d is asked %d times (%s): %s", n.of, n.asked, q.Problem, params.RequestedSchema)
	}
	content, ok := n.fillIn(schema)
	if !ok {
		return parley.Decline(), nil
	}
	n.answer = n.row.newAnswer(n.of, params.RequestedSchema, schema, content)
	return parley.Accept(content)
}

// fillIn is the content of an answer.
func (n *turn) fillIn(schema form.Schema) (content json.RawMessage, ok bool) {
	var members []string
	ok = true
	refuse := func(p *form.Problem, what string) {
		n.t.Errorf("type %d: %v of %s: %s", n.of, p, what, n.row.offers[n.of].Schema)
		ok = false
	}
	for i := range schema.Fields {
		f := &schema.Fields[i]
		by, text, meant := f, "", ""
		if n.way != required || f.Required {
			meant = value(n.dice, f, n.way == edges)
			if p := f.Check([]byte(meant)); p != nil {
				refuse(p, meant)
				continue
			}
			isTyped := false
			if n.way != edges {
				by = picked(f, meant)
				text, isTyped = typed(by, meant)
			}
			if !isTyped {
				if !f.ReadOnly {
					members = append(members, jsonText(f.Name)+":"+meant)
				}
				continue
			}
		}
		if n.way == required && f.Nullable {
			by, text, meant = f, "", ""
		}
		got, p := by.Parse(text)
		switch {
		case p != nil:
			refuse(p, fmt.Sprintf("%q typed", text))
		case meant != "" && !f.ReadOnly && !alike(got, json.RawMessage(meant)):
			n.t.Errorf("type %d: %q typed for %s is %s: %s", n.of, text, meant, got, n.row.offers[n.of].Schema)
		case got != nil:
			members = append(members, jsonText(f.Name)+":"+string(got))
		}
	}
	content = json.RawMessage("{" + strings.Join(members, ",") + "}")
	for _, p := range schema.Check(content) {
		if ok {
			refuse(&p, string(content))
		}
	}
	return content, ok
}

// newAnswer is an answer, not posted yet.
func (r *row) newAnswer(of int, text json.RawMessage, schema form.Schema, content json.RawMessage) *answer {
	a := &answer{of: of, schema: slices.Clone(text), content: content}
	if len(schema.Unchecked) > 0 {
		a.unchecked = append(a.unchecked, "")
	}
	if problems := schema.Check(content); problems != nil {
		a.problem = &problems[0]
	}
	var members map[string]any
	if err := json.Unmarshal(content, &members); err != nil {
		panic(err)
	}
	for i := range schema.Fields {
		f := &schema.Fields[i]
		value, there := members[f.Name]
		if !there {
			continue
		}
		a.fields = append(a.fields, f.Name)
		if isUnchecked(f) {
			a.unchecked = append(a.unchecked, f.Name)
		}
		if r.server.limit != nil && a.limit == "" {
			a.limit = r.server.limit(f, value)
		}
	}
	return a
}

// alike compares what two JSON texts say.
func alike(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
