package parley_test

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// A Logger is told what goes out and comes back, what is asked and saved and how
// it ends, and nothing of what is in it.
func TestLogger(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		var text bytes.Buffer
		s, err := parley.NewSession(e, answers(func(rpc) {},
			`{"resultType":"input_required","requestState":"secret-state","inputRequests":{"secret-key":{"method":"elicitation/create","params":{"message":"secret-message","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}`,
			`{"resultType":"complete","content":[{"type":"text","text":"secret-result"}]}`), parley.SessionOptions{
			Logger: slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})),
			Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) {
				return parley.Accept(map[string]string{"name": "secret-answer"})
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Call(t.Context(), parley.Request{
			Method: "tools/call", Params: []byte(`{"name":"t","arguments":{"x":"secret-argument"}}`),
			Options: engine.Options{Audit: true},
			Save:    func(context.Context, []byte) error { return nil },
		}); err != nil {
			t.Fatal(err)
		}
		closeAll(t, s)
		log := text.String()
		for _, want := range []string{
			`msg=ready version=2026-07-28`, `msg="leg out" call=1 leg=1 method=tools/call`, `msg="leg back" call=1 leg=1 answer=input_required`,
			`msg=note call=1 kind=asked`, `msg=question call=1 ask=1 kind=elicitation/create mode=form round=1`, `msg=saved call=1`, `msg="call done" call=1`,
		} {
			if !strings.Contains(log, want) {
				t.Errorf("there is no %s in\n%s", want, log)
			}
		}
		if leak := regexp.MustCompile(`secret-\w+`).FindString(log); leak != "" {
			t.Errorf("%s is in\n%s", leak, log)
		}
	})
}

// Warnings are for a log that has nothing else.
func TestLoggerWarns(t *testing.T) {
	var text bytes.Buffer
	s := newSession(t, parley.Native{}, answers(func(rpc) {},
		`{"resultType":"complete","tools":[{"name":"bad","inputSchema":{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"A"}}}}]}`), parley.SessionOptions{Logger: slog.New(slog.NewTextHandler(&text, nil))})
	if _, err := s.Call(t.Context(), parley.Request{Method: "tools/list"}); err != nil {
		t.Fatal(err)
	}
	closeAll(t, s)
	if got := text.String(); !strings.Contains(got, "level=WARN") || strings.Contains(got, "level=DEBUG") {
		t.Errorf("got %q, want warnings only", got)
	}
}
