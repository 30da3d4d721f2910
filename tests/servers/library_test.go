package servers_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/schema"
	"github.com/parley-mcp/parley/tests/interop"
)

// library is the route through the Go host: one session, as a program has it.
type library struct {
	*parley.Session
	server server
	place  place

	mu      sync.Mutex
	ready   session.Ready
	asked   []string
	forms   []form // the answers that are left
	strange []string
	logs    string
	told    chan struct{} // holds something whenever something was logged
}

func newLibrary(t *testing.T, s server) *library {
	t.Helper()
	l := &library{server: s, place: s.newPlace(t), told: make(chan struct{}, 1)}
	var transport parley.Transport
	if s.http != nil {
		transport = &parley.StreamableHTTP{URL: s.start(t, l.place)}
	} else {
		command := s.command(t, l.place)
		transport = &parley.Stdio{Command: func() *exec.Cmd {
			cmd := exec.Command(command[0], command[1:]...)
			cmd.Dir, cmd.Env = l.place.dir, s.environ(l.place)
			return cmd
		}}
	}
	opts := parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "servers", Version: "1"},
		Askers:     parley.Askers{Elicit: l.elicit, ElicitURL: l.page},
		LogLevel:   "info",
		Watchers: parley.SessionWatchers{
			OnReady: func(r session.Ready) {
				l.mu.Lock()
				defer l.mu.Unlock()
				l.ready = r
			},
			OnWarning: func(text string) {
				l.mu.Lock()
				defer l.mu.Unlock()
				l.strange = append(l.strange, "warning: "+text)
			},
			OnNotification: l.notified,
		},
	}
	if s.sampling {
		opts.Askers.Sample = l.sample
	}
	if s.roots {
		opts.Askers.ListRoots = l.listRoots
	}
	if s.pinned {
		opts.Versions = []string{s.speaks}
	}
	var err error
	if l.Session, err = parley.NewSession(parley.Native{}, transport, opts); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *library) close(t *testing.T) {
	if err := l.Close(); err != nil {
		t.Errorf("closing the session: %v", err)
	}
}

func (l *library) version(*testing.T) string { return l.said().Version }

// said is what the server said of itself by now.
func (l *library) said() session.Ready {
	l.Flush()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ready
}

// list is everything that the server lists. Lists of what it says it does not have are left out, as hosts do.
func (l *library) list(t *testing.T) (all listing, problems []string) {
	ctx, cancel := context.WithTimeout(t.Context(), interop.Patience)
	defer cancel()
	note := func(what string, err error) {
		if err != nil {
			problems = append(problems, fmt.Sprintf("listing %s: %v", what, err))
		}
	}
	var err error
	all.tools, err = names(l.Tools(ctx), func(t *schema.Tool) string { return t.Name })
	note("tools", err)
	said := l.said().Capabilities
	unsaid := said == nil // over HTTP, a server of 2026-07-28 is not asked
	var has struct{ Prompts, Resources json.RawMessage }
	if !unsaid {
		note("capabilities", json.Unmarshal(said, &has))
	}
	if unsaid || has.Prompts != nil {
		all.prompts, err = names(l.Prompts(ctx), func(p *schema.Prompt) string { return p.Name })
		note("prompts", err)
	}
	if unsaid || has.Resources != nil {
		all.resources, err = names(l.Resources(ctx), func(r *schema.Resource) string { return r.URI })
		note("resources", err)
		all.templates, err = names(l.ResourceTemplates(ctx), func(r *schema.ResourceTemplate) string { return r.URITemplate })
		note("templates", err)
	}
	return all, append(problems, l.take().strange...)
}

func names[T any](list iter.Seq2[*T, error], name func(*T) string) ([]string, error) {
	all := []string{}
	for one, err := range list {
		if err != nil {
			return all, err
		}
		all = append(all, name(one))
	}
	return all, nil
}

// play makes a call.
func (l *library) play(t *testing.T, one call) []string {
	t.Helper()
	one = l.server.fillIn(one, l.place)
	l.mu.Lock()
	l.forms = one.forms
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), cmp.Or(l.server.timeout, interop.Patience))
	defer cancel()
	steps := 0
	kind, target := one.target()
	params := map[string]any{"name": target}
	if kind == "read" {
		params = map[string]any{"uri": target}
	}
	if one.arguments != "" {
		params["arguments"] = json.RawMessage(one.arguments)
	}
	if one.task {
		params["task"] = map[string]any{}
	}
	text, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	res, err := l.Call(ctx, parley.Request{
		Method: map[string]string{"call": "tools/call", "prompt": "prompts/get", "read": "resources/read"}[kind], Params: text,
		Watchers: parley.Watchers{OnProgress: func(int, []byte) { steps++ }},
	})
	if l.server.logsAside {
		l.awaitLog(ctx, one.log)
	}
	o := l.take()
	o.raw = res.Result
	if one.steps > 0 {
		o.steps = steps
	}
	var failed *parley.Error
	switch {
	case errors.As(err, &failed):
		o.refused = failed.Error() + " " + string(failed.Response)
	case err != nil:
		o.refused = err.Error()
	default:
		r, _ := readResult(res.Result)
		o.failed = r.failed
	}
	problems := one.problems(o)
	if one.after != nil {
		if err := one.after(l.place.dir); err != nil {
			problems = append(problems, err.Error())
		}
	}
	return problems
}

// take is what was asked, logged and warned of since the last time.
func (l *library) take() outcome {
	l.Flush()
	l.mu.Lock()
	defer l.mu.Unlock()
	o := outcome{asked: l.asked, logs: l.logs, strange: l.strange}
	if l.server.asksRoots {
		o.asked = slices.DeleteFunc(o.asked, func(kind string) bool { return kind == "roots" })
	}
	l.asked, l.logs, l.strange = nil, "", nil
	return o
}

func (l *library) notified(method string, params []byte) {
	if method != "notifications/message" {
		return
	}
	l.mu.Lock()
	l.logs += string(params)
	l.mu.Unlock()
	select {
	case l.told <- struct{}{}:
	default:
	}
}

// awaitLog waits for what the call logged, which may come after the result.
func (l *library) awaitLog(ctx context.Context, part string) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		l.mu.Lock()
		here := strings.Contains(l.logs, part)
		l.mu.Unlock()
		if here {
			return
		}
		select {
		case <-l.told:
		case <-ctx.Done():
			return
		}
	}
}

func (l *library) note(kind string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, kind)
}

func (l *library) elicit(context.Context, parley.Question) ([]byte, error) {
	l.note("form")
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.forms) == 0 {
		return nil, errors.New("the call has no answer to this form")
	}
	answer := l.forms[0]
	l.forms = l.forms[1:]
	if answer.action() == "decline" {
		return parley.Decline(), nil
	}
	return parley.Accept(json.RawMessage(answer.content))
}

func (l *library) page(context.Context, parley.Question) ([]byte, error) {
	l.note("page")
	return []byte(`{"action":"accept"}`), nil
}

func (l *library) sample(_ context.Context, q parley.Question) ([]byte, error) {
	l.note("sampling")
	return json.Marshal(map[string]any{
		"role": "assistant", "model": "model", "content": map[string]any{"type": "text", "text": says(string(q.Params))},
	})
}

func (l *library) listRoots(context.Context, parley.Question) ([]byte, error) {
	l.note("roots")
	return json.Marshal(map[string]any{"roots": []any{map[string]any{"uri": "file://" + l.place.dir}}})
}
