package gosdk_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// desk is a person at a client of revision 2025-11-25, who answers each form
// with its message in capitals.
type desk struct {
	mu    sync.Mutex
	asked []string
}

func (d *desk) elicit(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, req.Params.Message)
	return accept(map[string]any{"a": strings.ToUpper(req.Params.Message)}), nil
}

func (d *desk) connect(t *testing.T, server *mcp.Server, o mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &o).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// asksFor is the question of round n, under a key that every round has.
func asksFor(n int) mcp.InputRequestMap {
	return mcp.InputRequestMap{"q": form(fmt.Sprint("round ", n), "a")}
}

// inRounds asks in as many rounds, and counts them in its state.
func inRounds(s *mcp.Server, rounds int) {
	next := func(state string, answers mcp.InputResponseMap) (string, mcp.InputRequestMap, error) {
		done := len(state)
		if res, _ := answers["q"].(*mcp.ElicitResult); (done > 0) != (res != nil) || res != nil && res.Content["a"] != fmt.Sprint("ROUND ", done) {
			return "", nil, fmt.Errorf("after %d rounds: got %v", done, res)
		}
		if done == rounds {
			return fmt.Sprintf("done after %d", done), nil, nil
		}
		return state + "I", asksFor(done + 1), nil
	}
	s.AddPrompt(&mcp.Prompt{Name: "count"}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		said, ask, err := next(req.Params.RequestState, req.Params.InputResponses)
		if err != nil || ask == nil {
			return &mcp.GetPromptResult{Description: said, Messages: []*mcp.PromptMessage{}}, err
		}
		return &mcp.GetPromptResult{InputRequests: ask, RequestState: said}, nil
	})
	s.AddResource(&mcp.Resource{Name: "count", URI: "test://count"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		said, ask, err := next(req.Params.RequestState, req.Params.InputResponses)
		if err != nil || ask == nil {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: said}}}, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{}, InputRequests: ask, RequestState: said}, nil
	})
}

// TestEarlierRounds plays prompts and resources that ask by their results at a
// client without rounds: each question is asked once, for ten rounds. Tools do so
// in TestRoundVectors.
func TestEarlierRounds(t *testing.T) {
	forged := mcp.InputResponseMap{"q": accept(map[string]any{"a": "forged"})}
	play := map[string]func(context.Context, *mcp.ClientSession) (string, error){
		"prompt": func(ctx context.Context, s *mcp.ClientSession) (string, error) {
			res, err := s.GetPrompt(ctx, &mcp.GetPromptParams{Name: "count", RequestState: "II", InputResponses: forged})
			if err != nil {
				return "", err
			}
			return res.Description, nil
		},
		"resource": func(ctx context.Context, s *mcp.ClientSession) (string, error) {
			res, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: "test://count", RequestState: "II", InputResponses: forged})
			if err != nil {
				return "", err
			}
			return res.Contents[0].Text, nil
		},
	}
	for name, call := range play {
		for _, rounds := range []int{1, 2, 3, 9, 10, 12} {
			t.Run(fmt.Sprint(name, " ", rounds), func(t *testing.T) {
				server := legacyServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{})
				inRounds(server, rounds)
				d := &desk{}
				got, err := call(t.Context(), d.connect(t, server, mcp.ClientOptions{ElicitationHandler: d.elicit}))
				switch {
				case rounds <= 10 && (err != nil || got != fmt.Sprintf("done after %d", rounds)):
					t.Errorf("got %q, %v, want it done", got, err)
				case rounds > 10 && (err == nil || !strings.Contains(err.Error(), "after ten rounds")):
					t.Errorf("got %q, %v, want a refusal", got, err)
				}
				var want []string
				for n := range min(rounds, 11) {
					want = append(want, fmt.Sprint("round ", n+1))
				}
				if !slices.Equal(d.asked, want) {
					t.Errorf("asked %q, want %q", d.asked, want)
				}
			})
		}
	}
}

// TestEarlierCancel gives up a call while the Guard asks: the person is told, and
// the handler is not called again.
func TestEarlierCancel(t *testing.T) {
	server := legacyServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{})
	runs := make(chan string, 9)
	server.AddTool(&mcp.Tool{Name: "ask", InputSchema: object()}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		state := req.Params.RequestState
		runs <- state
		return &mcp.CallToolResult{InputRequests: asksFor(len(state) + 1), RequestState: state + "I"}, nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	withdrawn := make(chan struct{})
	session := (&desk{}).connect(t, server, mcp.ClientOptions{ElicitationHandler: func(asked context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		if req.Params.Message == "round 2" {
			cancel()
			<-asked.Done()
			close(withdrawn)
			return nil, asked.Err()
		}
		return accept(map[string]any{"a": "yes"}), nil
	}})
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "ask"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it is canceled", err)
	}
	<-withdrawn
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := len(runs); got != 2 {
		t.Errorf("the handler ran %d times, want 2", got)
	}
}

// TestEarlierWithoutQuestions is told to a client that cannot come back.
func TestEarlierWithoutQuestions(t *testing.T) {
	for name, questions := range map[string]mcp.InputRequestMap{"empty": {}, "none": nil} {
		t.Run(name, func(t *testing.T) {
			var logged journal
			server := legacyServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{Logger: logged.logger()})
			server.AddTool(&mcp.Tool{Name: "ask", InputSchema: object()}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if req.Params.RequestState == "" {
					return &mcp.CallToolResult{InputRequests: asksFor(1), RequestState: "I"}, nil
				}
				return &mcp.CallToolResult{InputRequests: questions, RequestState: "II"}, nil
			})
			d := &desk{}
			_, err := d.connect(t, server, mcp.ClientOptions{ElicitationHandler: d.elicit}).CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
			if questions != nil && (err == nil || !strings.Contains(err.Error(), "busy")) {
				t.Errorf("got %v, want that the server is busy", err)
			}
			if questions == nil && (err == nil || spelled(t, err) != internal || !strings.Contains(logged.String(), "without InputRequests")) {
				t.Errorf("got %v and the log %s", err, &logged)
			}
		})
	}
}
