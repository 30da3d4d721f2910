package gosdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

func TestMain(m *testing.M) { os.Exit(hosttest.Main(m)) }

// What the tests here and those of package parley have in common.
var (
	engines, pairs       = hosttest.Engines, hosttest.Pairs
	newSession, closeAll = hosttest.NewSession, hosttest.CloseAll
	tool, textOf         = hosttest.Tool, hosttest.TextOf
	decline, fails       = hosttest.Decline, hosttest.Fails
	snapshotOf, wantErr  = hosttest.SnapshotOf, hosttest.WantErr
)

// A peer is a server on the official Go SDK, without anything of Parley's.
type peer struct {
	legacy  bool
	gaveUp  chan struct{} // gets a value when a call of wait is canceled
	release chan struct{} // wait returns when it is closed
	waiting chan struct{} // gets a value when a call of wait has begun
}

const (
	modern  = "2026-07-28"
	earlier = "2025-11-25"
)

func newPeer(legacy bool) *peer {
	return &peer{legacy: legacy, gaveUp: make(chan struct{}, 100), release: make(chan struct{}), waiting: make(chan struct{}, 100)}
}

func (p *peer) server() *mcp.Server {
	opts := &mcp.ServerOptions{Instructions: "be kind"}
	if p.legacy {
		opts.SupportedProtocolVersions = []string{earlier}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, opts)
	add := func(name string, handler mcp.ToolHandler) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, handler)
	}
	add("echo", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return said("%s", req.Params.Arguments), nil
	})
	add("interview", p.interview)
	add("wait", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p.waiting <- struct{}{}
		select {
		case <-p.release:
			return said("released"), nil
		case <-ctx.Done():
			p.gaveUp <- struct{}{}
			return nil, ctx.Err()
		}
	})
	add("progress", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in struct{ Pause time.Duration } // in milliseconds
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return nil, err
		}
		for i := range 6 {
			time.Sleep(in.Pause * time.Millisecond)
			req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1)})
		}
		return said("done"), nil
	})
	add("exit", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		os.Exit(3)
		return nil, nil
	})
	add("log", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Data: "look out"})
		return said("%v", err), nil
	})
	add("number", p.number)
	add("drop", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 20 * time.Millisecond})
		time.Sleep(50 * time.Millisecond)
		return said("came back"), nil
	})
	server.AddPrompt(&mcp.Prompt{Name: "greeting"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "hello"}}}}, nil
	})
	return server
}

func said(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// interview asks one question of each kind, and one form more: in rounds, or
// by requests of the server's own.
func (p *peer) interview(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	form := &mcp.ElicitParams{Message: "Who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)}
	page := &mcp.ElicitParams{Mode: "url", Message: "Sign in", URL: "https://example.com/sign-in", ElicitationID: "e1"}
	sample := &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "?"}}}, MaxTokens: 9}
	again := &mcp.ElicitParams{Message: "Sure?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean"}}}`)}
	if p.legacy {
		first, err := req.Session.Elicit(ctx, form)
		if err != nil {
			return nil, err
		}
		opened, err := req.Session.Elicit(ctx, page)
		if err != nil {
			return nil, err
		}
		message, err := req.Session.CreateMessage(ctx, sample)
		if err != nil {
			return nil, err
		}
		roots, err := req.Session.ListRoots(ctx, nil)
		if err != nil {
			return nil, err
		}
		sure, err := req.Session.Elicit(ctx, again)
		if err != nil {
			return nil, err
		}
		return said("%v %s %s %s %s", first.Content["name"], opened.Action, message.Model, roots.Roots[0].URI, sure.Action), nil
	}
	answers := req.Params.InputResponses
	if len(answers) == 0 {
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{"1": form, "2": page, "3": sample, "4": &mcp.ListRootsParams{}},
			RequestState:  "first",
		}, nil
	}
	if req.Params.RequestState == "first" {
		text := fmt.Sprintf("%v %s %s %s", answers["1"].(*mcp.ElicitResult).Content["name"], answers["2"].(*mcp.ElicitResult).Action,
			answers["3"].(*mcp.CreateMessageWithToolsResult).Model, answers["4"].(*mcp.ListRootsResult).Roots[0].URI)
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"5": again}, RequestState: text}, nil
	}
	return said("%s %s", req.Params.RequestState, answers["5"].(*mcp.ElicitResult).Action), nil
}

// number asks for the number it was called with.
func (p *peer) number(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct{ N int }
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return nil, err
	}
	form := &mcp.ElicitParams{
		Message:         fmt.Sprintf("%d?", in.N),
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
	}
	var answer *mcp.ElicitResult
	switch {
	case p.legacy:
		var err error
		if answer, err = req.Session.Elicit(ctx, form); err != nil {
			return nil, err
		}
	case len(req.Params.InputResponses) == 0:
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"n": form}, RequestState: "asked"}, nil
	default:
		answer = req.Params.InputResponses["n"].(*mcp.ElicitResult)
	}
	return said("%d %v", in.N, answer.Content["n"]), nil
}

const interviewed = "Ada accept m file:///home/ada decline"

// answering are callbacks that answer an interview, and note what they were
// asked.
func answering() (hosttest.Callbacks, *[]string) {
	var mu sync.Mutex
	asked := &[]string{}
	answer := func(kind, text string) func(context.Context, parley.Question) ([]byte, error) {
		return func(_ context.Context, q parley.Question) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			*asked = append(*asked, kind)
			if strings.Contains(string(q.Params), "Sure?") {
				return parley.Decline(), nil
			}
			return []byte(text), nil
		}
	}
	return hosttest.Callbacks{
		Askers: parley.Askers{
			Elicit:    answer("form", `{"action":"accept","content":{"name":"Ada"}}`),
			ElicitURL: answer("url", `{"action":"accept"}`),
			Sample:    answer("model", `{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`),
			ListRoots: answer("roots", `{"roots":[{"uri":"file:///home/ada"}]}`),
		},
	}, asked
}

// worlds are the ways to reach a peer, in both eras.
func worlds(t *testing.T, test func(t *testing.T, p *peer, connect func(*testing.T) parley.Transport)) {
	for _, legacy := range []bool{false, true} {
		era := map[bool]string{false: modern, true: earlier}[legacy]
		t.Run(era+" http", func(t *testing.T) {
			p := newPeer(legacy)
			url := p.http(t, nil)
			test(t, p, func(*testing.T) parley.Transport { return &parley.StreamableHTTP{URL: url} })
		})
		t.Run(era+" stdio", func(t *testing.T) {
			test(t, newPeer(legacy), func(t *testing.T) parley.Transport { return stdio(t, legacy) })
		})
		t.Run(era+" in process", func(t *testing.T) {
			p := newPeer(legacy)
			test(t, p, func(*testing.T) parley.Transport { return parley.InProcess(p.serve) })
		})
	}
}

func (p *peer) serve(conn io.ReadWriteCloser) {
	p.server().Run(context.Background(), &mcp.IOTransport{Reader: conn, Writer: conn})
}

func (p *peer) http(t *testing.T, opts *mcp.StreamableHTTPOptions) (url string) {
	server := p.server()
	if opts == nil {
		opts = &mcp.StreamableHTTPOptions{Stateless: !p.legacy, PropagateRequestCancellation: true}
	}
	listener := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, opts))
	t.Cleanup(func() {
		close(p.release)
		listener.Close()
	})
	return listener.URL
}

// peerHelper is the environment variable that makes a test process a peer over
// stdio, of the era it names.
const peerHelper = "PARLEY_TEST_PEER"

// TestPeerProcess is no test: it is the peer that other tests start.
func TestPeerProcess(t *testing.T) {
	era := os.Getenv(peerHelper)
	if era == "" {
		t.Skip("not a helper process")
	}
	fmt.Fprintln(os.Stderr, "peer started")
	err := newPeer(era == earlier).server().Run(context.Background(), &mcp.StdioTransport{})
	fmt.Fprintln(os.Stderr, "peer ended")
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

func stdio(t *testing.T, legacy bool) *parley.Stdio {
	era := map[bool]string{false: modern, true: earlier}[legacy]
	return &parley.Stdio{Command: func() *exec.Cmd { return peerCommand(t, era) }}
}

func peerCommand(t *testing.T, era string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestPeerProcess$")
	cmd.Env = append(os.Environ(), peerHelper+"="+era)
	return cmd
}
