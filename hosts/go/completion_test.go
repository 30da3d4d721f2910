package parley_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

func TestComplete(t *testing.T) {
	tests := map[string]struct {
		completion parley.Completion
		result     string
		sent       string
		values     []string
		more       bool
	}{
		"of a prompt": {parley.Completion{Prompt: "p", Argument: "lang", Value: "py"}, `{"completion":{"values":["python","pytorch"],"total":10,"hasMore":true}}`,
			`{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"lang","value":"py"}`, []string{"python", "pytorch"}, true},
		"of a template": {parley.Completion{Template: "file:///{a}/{b}", Argument: "b", Context: map[string]string{"a": `"x"`}}, `{"completion":{"values":[]}}`,
			`{"ref":{"type":"ref/resource","uri":"file:///{a}/{b}"},"argument":{"name":"b","value":""},"context":{"arguments":{"a":"\"x\""}}`, []string{}, false},
		"too many": {parley.Completion{Prompt: "p", Argument: "a"}, `{"completion":{"values":[` + strings.Repeat(`"v",`, 100) + `"v"]}}`,
			`{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}`, slices.Repeat([]string{"v"}, 100), true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, sent := typedSession(t, tt.result)
			values, more, err := s.Complete(t.Context(), tt.completion)
			if err != nil || !slices.Equal(values, tt.values) || more != tt.more {
				t.Errorf("got %q, %v, %v", values, more, err)
			}
			if got := (*sent)[0]; !strings.HasPrefix(got, "completion/complete "+tt.sent) {
				t.Errorf("sent %s, want %s", got, tt.sent)
			}
		})
	}
}

func TestCompleteFails(t *testing.T) {
	s, sent := typedSession(t, `{"completion":{"values":"none"}}`)
	for name, c := range map[string]parley.Completion{
		"nothing named": {Argument: "a"}, "both named": {Prompt: "p", Template: "t", Argument: "a"}, "no argument": {Prompt: "p"},
	} {
		if _, _, err := s.Complete(t.Context(), c); !errors.Is(err, fault.Options) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if len(*sent) > 0 {
		t.Errorf("sent %q", *sent)
	}
	if _, _, err := s.Complete(t.Context(), parley.Completion{Prompt: "p", Argument: "a"}); !errors.Is(err, fault.Malformed) {
		t.Errorf("odd values: got %v", err)
	}
	for code, want := range map[int]error{-32601: nil, -32602: fault.RPC} {
		asked := 0
		s := newRequests(t, parley.Native{}, func(_ context.Context, r parley.Outbound) ([]byte, error) {
			asked++
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"no"}}`, code), nil
		}, hosttest.Callbacks{})
		if values, _, err := s.Complete(t.Context(), parley.Completion{Prompt: "p", Argument: "a"}); !errors.Is(err, want) || values != nil {
			t.Errorf("error %d: got %q, %v", code, values, err)
		}
		s.Complete(t.Context(), parley.Completion{Prompt: "p", Argument: "a", Value: "b"})
		if again := want != nil; (asked == 2) != again {
			t.Errorf("error %d: asked %d times", code, asked)
		}
	}
}
