package gosdk_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// clock is a time of day that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Unix(1_800_000_000, 0)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// ring returns keys whose secrets begin with these bytes; the first one mints.
func ring(t testing.TB, seeds ...byte) *codec.KeyRing {
	t.Helper()
	var keys []*codec.Key
	for _, seed := range seeds {
		secret := make([]byte, codec.MinSecret)
		secret[0] = seed
		key, err := codec.NewKey(codec.SuiteXChaCha, secret)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	r, err := codec.NewKeyRing(keys[0], keys[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// newGuard returns a Guard of the service "test" with a key that all tests share.
func newGuard(t testing.TB, c *clock, o codec.GuardOptions) *codec.Guard {
	t.Helper()
	if o.Codec == nil {
		aead, err := codec.NewAEAD(ring(t, 1), codec.CodecOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o.Codec = aead
	}
	if o.Audience == "" {
		o.Audience = "test"
	}
	if o.Env.Rand == nil {
		o.Env.Rand = rand.Reader
	}
	o.Env.Now = c.Now
	g, err := codec.NewGuard(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// journal is what a server logged.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *journal) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *journal) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *journal) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// newServer returns an MCP server with the middleware, if there is a guard.
func newServer(g *codec.Guard, o gosdk.Options, furnish ...func(*mcp.Server)) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	if g != nil {
		server.AddReceivingMiddleware(gosdk.Guard(g, o))
	}
	for _, f := range furnish {
		f(server)
	}
	return server
}

// serve answers protocol 2026-07-28 over HTTP, the servers in turn.
func serve(t testing.TB, servers ...*mcp.Server) (url string) {
	t.Helper()
	var handlers []http.Handler
	for _, server := range servers {
		handlers = append(handlers, mcp.NewStreamableHTTPHandler(
			func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	}
	var turn atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		handlers[int(turn.Add(1))%len(handlers)].ServeHTTP(w, req)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// everything is what a client may declare.
func everything() *mcp.ClientCapabilities {
	return &mcp.ClientCapabilities{
		Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}},
		Sampling:    &mcp.SamplingCapabilities{},
		RootsV2:     &mcp.RootCapabilities{},
	}
}

// legs connects the SDK's client without its automatic loop.
func legs(t testing.TB, url string, declared *mcp.ClientCapabilities) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		Capabilities:   declared,
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	session, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// call makes one leg of tools/call. It returns the text of a result, or "? " and
// the questions' keys, and the state; an error as code, message and data.
func call(t testing.TB, session *mcp.ClientSession, tool string, args any, answers mcp.InputResponseMap, state string) (out, next string) {
	t.Helper()
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args, InputResponses: answers, RequestState: state})
	if err != nil {
		return spelled(t, err), ""
	}
	if res.NeedsInput() {
		return asks(res.InputRequests), res.RequestState
	}
	if res.IsError {
		return "error: " + text(t, res), res.RequestState
	}
	return text(t, res), res.RequestState
}

func text(t testing.TB, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("got %d blocks of content, want 1", len(res.Content))
	}
	return res.Content[0].(*mcp.TextContent).Text
}

func asks(questions mcp.InputRequestMap) string {
	return "? " + strings.Join(slices.Sorted(maps.Keys(questions)), " ")
}

func spelled(t testing.TB, err error) string {
	t.Helper()
	e := new(jsonrpc.Error)
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want one of JSON-RPC", err)
	}
	return fmt.Sprintf("%d %s %s", e.Code, e.Message, e.Data)
}

// frozen and internal are the errors a client may see of a Guard.
const (
	frozen   = `-32602 Invalid or expired requestState {"reason":"invalid_request_state"}`
	internal = `-32603 Internal error `
)

func accept(content map[string]any) *mcp.ElicitResult {
	return &mcp.ElicitResult{Action: "accept", Content: content}
}

func says(text string) *mcp.CreateMessageWithToolsResult {
	return &mcp.CreateMessageWithToolsResult{Role: "assistant", Model: "m", Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func result(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// form asks for a string under a name.
func form(message, name string) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Message:         message,
		RequestedSchema: json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string"}},"required":[%[1]q]}`, name)),
	}
}

func object() json.RawMessage { return json.RawMessage(`{"type":"object"}`) }

// post sends JSON-RPC params as they stand and returns the response.
func post(t testing.TB, url, method, name, params string) string {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},`+
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`, method, params)
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", method)
	req.Header.Set("Mcp-Name", name)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if res.Header.Get("Content-Type") == "text/event-stream" {
		_, text, _ = bytes.Cut(text, []byte("data: "))
	}
	return strings.TrimSpace(string(text))
}
