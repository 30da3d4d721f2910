package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// shared is a client of the SDK that somebody has made, and a server.
type shared struct {
	connection *mcp.ClientSession
	over       *gosdk.Shared
	die        func() error  // of the server
	begun      chan struct{} // the tool "slow" runs
	cancelled  chan struct{} // and was canceled
}

var versions = map[string][]string{"modern": nil, "legacy": {"2025-11-25"}}

// share connects a client whose own handler declines everything.
func share(t *testing.T, versions []string, declared *mcp.ClientCapabilities) *shared {
	t.Helper()
	s := &shared{begun: make(chan struct{}, 1), cancelled: make(chan struct{}, 1)}
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: versions})
	server.AddTool(&mcp.Tool{Name: "greet", InputSchema: object()}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if res, ok := req.Params.InputResponses["q"].(*mcp.ElicitResult); ok {
			return result("%s %v", res.Action, res.Content["a"]), nil
		}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": form("Who?", "a")}}, nil
	})
	server.AddTool(&mcp.Tool{Name: "echo", InputSchema: object()}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return result("%s", req.Params.Arguments), nil
	})
	server.AddTool(&mcp.Tool{Name: "slow", InputSchema: object()}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.begun <- struct{}{}
		<-ctx.Done()
		s.cancelled <- struct{}{}
		return nil, ctx.Err()
	})
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "decline"}, nil
		},
		Capabilities: declared,
	})
	s.over = gosdk.Over(client)
	here, there := net.Pipe()
	s.die = here.Close
	_, err := server.Connect(t.Context(), &mcp.IOTransport{Reader: here, Writer: here}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.connection, err = client.Connect(t.Context(), &mcp.IOTransport{Reader: there, Writer: there}, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.connection.Close() })
	return s
}

func (s *shared) session(t *testing.T, askers parley.Askers) *parley.Session {
	t.Helper()
	session, err := parley.NewSession(parley.Native{}, s.over.Carry(s.connection), parley.SessionOptions{Askers: askers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func callOver(ctx context.Context, s *parley.Session, params string) (parley.Outcome, error) {
	return s.Call(ctx, parley.Request{Method: "tools/call", Params: []byte(params)})
}

func ada(context.Context, parley.Question) ([]byte, error) {
	return []byte(`{"action":"accept","content":{"a":"Ada"}}`), nil
}

// TestOver has a session and the client call the same tool, each with its own
// answers.
func TestOver(t *testing.T) {
	for name, v := range versions {
		t.Run(name, func(t *testing.T) {
			s := share(t, v, gosdk.Capabilities(engine.Can{Form: true}))
			own := func(want string) {
				t.Helper()
				res, err := s.connection.CallTool(t.Context(), &mcp.CallToolParams{Name: "greet"})
				if err != nil || saidOf(res) != want {
					t.Errorf("the client's own call: got %v %v, want %q", res, err, want)
				}
			}
			own("decline <nil>")
			session := s.session(t, parley.Askers{Elicit: ada})
			out, err := callOver(t.Context(), session, `{"name":"greet"}`)
			if err != nil || !strings.Contains(string(out.Result), "accept Ada") {
				t.Errorf("the session's call: got %s %v", out.Result, err)
			}
			if err := session.Close(); err != nil {
				t.Error(err)
			}
			own("decline <nil>")
		})
	}
}

// TestOverExact has a call's params arrive as they were given.
func TestOverExact(t *testing.T) {
	for name, v := range versions {
		t.Run(name, func(t *testing.T) {
			session := share(t, v, nil).session(t, parley.Askers{})
			const args = `{"b":9007199254740993,"a":1.0,"2":"<&>"}`
			out, err := callOver(t.Context(), session, `{"name":"echo","arguments":`+args+`}`)
			var got struct{ Content []struct{ Text string } }
			if json.Unmarshal(out.Result, &got); err != nil || len(got.Content) != 1 || got.Content[0].Text != args {
				t.Errorf("arguments: got %s %v, want %s", out.Result, err, args)
			}
		})
	}
}

// TestOverUndeclared says what the client should have declared.
func TestOverUndeclared(t *testing.T) {
	s := share(t, versions["legacy"], gosdk.Capabilities(engine.Can{Form: true}))
	session := s.session(t, parley.Askers{Elicit: ada, ListRoots: ada})
	_, err := callOver(t.Context(), session, `{"name":"greet"}`)
	if !errors.Is(err, fault.Lost) || !strings.Contains(err.Error(), "the client has not declared roots") {
		t.Errorf("got %v", err)
	}
}

// TestOverTasks refuses before anything is sent what could not be followed.
func TestOverTasks(t *testing.T) {
	for name, v := range versions {
		session := share(t, v, nil).session(t, parley.Askers{Tasks: true})
		_, err := callOver(t.Context(), session, `{"name":"greet","task":{"ttl":1000}}`)
		want := "leave Askers.Tasks out"
		if name == "legacy" { // the client drops what the server declares of them, too
			want = "the server offers none for tools in MCP 2025-11-25"
		}
		if !errors.Is(err, fault.Lost) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestOverErrors passes on what the server refuses, as it was sent.
func TestOverErrors(t *testing.T) {
	for name, v := range versions {
		t.Run(name, func(t *testing.T) {
			session := share(t, v, nil).session(t, parley.Askers{})
			_, err := callOver(t.Context(), session, `{"name":"none"}`)
			var failed *parley.Error
			if !errors.As(err, &failed) || !strings.Contains(string(failed.Response), "-32602") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestOverCancel(t *testing.T) {
	for name, v := range versions {
		t.Run(name, func(t *testing.T) {
			s := share(t, v, nil)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				<-s.begun
				cancel()
			}()
			if _, err := callOver(ctx, s.session(t, parley.Askers{}), `{"name":"slow"}`); !errors.Is(err, fault.Canceled) {
				t.Errorf("got %v", err)
			}
			<-s.cancelled
		})
	}
}

// TestOverLost is in doubt if and only if the tool may have run.
func TestOverLost(t *testing.T) {
	for name, v := range versions {
		t.Run(name, func(t *testing.T) {
			s := share(t, v, nil)
			session := s.session(t, parley.Askers{})
			go func() {
				<-s.begun
				s.die()
			}()
			if _, err := callOver(t.Context(), session, `{"name":"slow"}`); !errors.Is(err, fault.InDoubt) {
				t.Errorf("a server that dies: got %v, want in doubt", err)
			}
			s.connection.Close()
			if _, err := callOver(t.Context(), session, `{"name":"slow"}`); !errors.Is(err, fault.Lost) {
				t.Errorf("a client that is closed: got %v, want lost", err)
			}
		})
	}
}

func saidOf(r *mcp.CallToolResult) string { return r.Content[0].(*mcp.TextContent).Text }
