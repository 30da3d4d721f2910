package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// TestAgainstTheOfficialSDK calls a server on the official Go SDK over real
// HTTP: tools, a prompt and a resource, all three kinds of question, several
// rounds, waits, and both forms of HTTP answer.
func TestAgainstTheOfficialSDK(t *testing.T) {
	answers := map[string]string{
		"units":       `{"action":"accept","content":{"units":"imperial"}}`,
		"resolution":  `{"action":"accept","content":{"resolution":"Duplicate"}}`,
		"duplicate":   `{"action":"accept","content":{"original_id":4242,"comment":"same crash"}}`,
		"confirm":     `{"action":"accept","content":{"confirm":true,"disks":2,"tags":["dev"]}}`,
		"preferences": `{"action":"accept","content":{"start":"2026-12-01","days":3,"pace":"busy"}}`,
		"review":      `{"action":"accept","content":{"language":"Go","focus":"security"}}`,
		"quarter":     `{"action":"accept","content":{"quarter":"Q3"}}`,
	}
	tests := map[string]struct {
		method, params string
		want           string // is part of the result
		legs           int
	}{
		"form":            {"tools/call", `{"name":"get_weather","arguments":{"location":"Oslo"}}`, "°F", 2},
		"two rounds":      {"tools/call", `{"name":"update_work_item","arguments":{"id":4711,"state":"Resolved"}}`, "4242", 3},
		"no round":        {"tools/call", `{"name":"update_work_item","arguments":{"id":4711,"state":"Active"}}`, "4711", 1},
		"typed form":      {"tools/call", `{"name":"provision_vm","arguments":{"size":"small"}}`, "small", 2},
		"sampling":        {"tools/call", `{"name":"summarise","arguments":{"text":"long"}}`, "a model said this", 2},
		"roots":           {"tools/call", `{"name":"list_files","arguments":{}}`, "file:///srv/project", 2},
		"three kinds":     {"tools/call", `{"name":"plan_trip","arguments":{"destination":"Rome"}}`, "Rome", 2},
		"waits":           {"tools/call", `{"name":"busy_report","arguments":{"waits":4}}`, `"content"`, 5},
		"prompt":          {"prompts/get", `{"name":"code_review","arguments":{"code":"x := 1"}}`, "security", 2},
		"resource":        {"resources/read", `{"uri":"parley://report/quarterly"}`, "Q3", 2},
		"unrelated, flat": {"tools/list", `{}`, "get_weather", 1},
	}
	for form, asJSON := range map[string]bool{"sse": false, "json": true} {
		t.Run(form, func(t *testing.T) {
			server := httptest.NewServer(stories.Handler(stories.Options{JSON: asJSON, Logger: slog.New(slog.DiscardHandler)}))
			t.Cleanup(server.Close)
			engines(t, func(t *testing.T, e parley.Engine) {
				s := newSession(t, e, &parley.StreamableHTTP{URL: server.URL, Client: server.Client()}, parley.SessionOptions{
					ClientInfo: parley.Implementation{Name: "parley-test", Version: "0"}, Known: modern,
				})
				for name, tt := range tests {
					t.Run(name, func(t *testing.T) {
						legs := 0
						out, err := s.Call(t.Context(), parley.Request{Method: tt.method, Params: []byte(tt.params), Askers: &parley.Askers{
							Elicit: func(_ context.Context, a parley.Question) ([]byte, error) {
								answer, ok := answers[a.Key]
								if !ok {
									return nil, fmt.Errorf("unexpected question %q", a.Key)
								}
								return []byte(answer), nil
							},
							Sample: func(context.Context, parley.Question) ([]byte, error) {
								return []byte(`{"role":"assistant","content":{"type":"text","text":"a model said this"},"model":"m"}`), nil
							},
							ListRoots: func(context.Context, parley.Question) ([]byte, error) {
								return []byte(`{"roots":[{"uri":"file:///srv/project","name":"project"}]}`), nil
							},
						}, Watchers: parley.Watchers{
							OnLeg: func(l engine.Leg) { legs = l.Leg },
						}})
						if err != nil {
							t.Fatal(err)
						}
						if !strings.Contains(string(out.Result), tt.want) {
							t.Errorf("result: got %s, want it to contain %q", out.Result, tt.want)
						}
						if legs != tt.legs {
							t.Errorf("legs: got %d, want %d", legs, tt.legs)
						}
					})
				}
			})
		})
	}
}

// A state is good for the call that it is of: with other keys, or made up, the
// server refuses it with -32602. What was answered is kept, and the call can be
// begun again: then the form comes with what was sent before.
func TestRefusedState(t *testing.T) {
	handler := func() http.Handler { return stories.Handler(stories.Options{Logger: slog.New(slog.DiscardHandler)}) }
	var running atomic.Value
	running.Store(handler())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		running.Load().(http.Handler).ServeHTTP(w, r)
	}))
	defer server.Close()
	engines(t, func(t *testing.T, e parley.Engine) {
		s := newSession(t, e, &parley.StreamableHTTP{URL: server.URL}, parley.SessionOptions{Known: modern})
		const units = `{"units":"imperial"}`
		asked := 0
		elicit := func(_ context.Context, q parley.Question) ([]byte, error) {
			if asked++; asked == 1 {
				running.Store(handler())
				return parley.Accept(json.RawMessage(units))
			}
			if string(q.Earlier) != units {
				t.Errorf("earlier: got %s, want %s", q.Earlier, units)
			}
			return parley.Accept(json.RawMessage(q.Earlier))
		}
		_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"get_weather","arguments":{"location":"Oslo"}}`), Askers: &parley.Askers{Elicit: elicit}})
		snapshot := refused(t, err)
		_, err = s.Resume(t.Context(), parley.Resumption{Snapshot: snapshot, Askers: &parley.Askers{Elicit: elicit}})
		if snapshot = refused(t, err); asked != 1 {
			t.Errorf("asked %d times, want once", asked)
		}
		out, err := s.Resume(t.Context(), parley.Resumption{Snapshot: snapshot, Again: true, Askers: &parley.Askers{Elicit: elicit}})
		if err != nil || !strings.Contains(string(out.Result), "°F") || asked != 2 {
			t.Errorf("begun again: got %s, %v after %d questions", out.Result, err, asked)
		}

		_, err = s.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"get_weather","arguments":{"location":"Oslo"},"requestState":"forged"}`), Askers: &parley.Askers{Elicit: decline}})
		refused(t, err)
	})
}

// refused is the snapshot of a call whose state the server has refused.
func refused(t *testing.T, err error) (snapshot []byte) {
	t.Helper()
	var failed *parley.Error
	if !errors.As(err, &failed) || failed.InDoubt || !strings.Contains(string(failed.Response), "-32602") {
		t.Fatalf("got %v, want the server's own error, and no doubt", err)
	}
	return snapshotOf(t, err, fault.State)
}
