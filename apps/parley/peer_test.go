package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The protocol versions that a peer may be of.
const (
	current = "2026-07-28"
	latest  = "2025-11-25" // of the earlier ones
	middle  = "2025-06-18"
	oldest  = "2025-03-26"
)

// stdio are the arguments that name a server of the test program's own: the
// story server, a peer of a protocol version, or one of the odd ones below.
func stdio(kind string) []string { return []string{"--", os.Args[0], "serve", kind} }

// ways are how a peer of a version is reached, as arguments that name it.
func ways(t *testing.T, version string) map[string][]string {
	return map[string][]string{"http": {overHTTP(t, version)}, "stdio": stdio(version)}
}

// with are a command line's words with those that name a server, in their
// place.
func with(way []string, command string, args ...string) []string {
	if way[0] == "--" {
		return append(append([]string{command}, args...), way...)
	}
	return append(append([]string{command}, way...), args...)
}

// serve makes the test program a server over stdio.
func serve(kind string) {
	note("started")
	fmt.Fprintf(os.Stderr, "serving %s\n", kind)
	var err error
	switch kind {
	case "stories":
		err = tellStories()
	case "readme":
		p := newPeer(current)
		p.AddTool(&mcp.Tool{Name: "get_weather", InputSchema: json.RawMessage(`{"type":"object"}`)}, weatherByRounds)
		err = p.Run(context.Background(), &mcp.StdioTransport{})
	case "hostile":
		err = hostileLines()
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		err = newPeer(current).Run(context.Background(), &mcp.StdioTransport{})
		time.Sleep(time.Hour)
	case "early":
		fmt.Fprint(os.Stderr, "no database")
		os.Exit(7)
	case "curious":
		err = newCurious(context.Background(), latest).Run(context.Background(), &mcp.StdioTransport{})
	default:
		err = newPeer(kind).Run(context.Background(), &mcp.StdioTransport{})
	}
	note("ended")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// note writes down what becomes of a server, with its process.
func note(what string) {
	if name := os.Getenv("PARLEY_TEST_NOTES"); name != "" {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		defer f.Close()
		fmt.Fprintf(f, "%s %d\n", what, os.Getpid())
	}
}

// awaitFile waits until a test makes a file: what a server is to do then cannot
// come too early, however slow the machine is.
func awaitFile(name string) {
	for {
		if _, err := os.Stat(name); err == nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// tellStories runs the story server, with the keys of a file, so that another
// process of it takes the states of the first.
func tellStories() error {
	cmd := exec.Command(os.Getenv("PARLEY_TEST_STORIES"), "-stdio")
	if name := os.Getenv("PARLEY_TEST_KEYS"); name != "" {
		cmd.Args = append(cmd.Args, "-key-file", name)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}

// overHTTP serves a peer as its version does: with sessions before the current
// one.
func overHTTP(t *testing.T, version string) (url string) {
	t.Helper()
	return serveHTTP(t, newPeer(version), version)
}

func serveHTTP(t *testing.T, peer *mcp.Server, version string) (url string) {
	t.Helper()
	s := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return peer },
		&mcp.StreamableHTTPOptions{Stateless: version == current}))
	t.Cleanup(s.Close)
	return s.URL
}

// newPeer is a server on the official Go SDK, without anything of Parley's. It
// speaks one version and asks as that does.
func newPeer(version string) *mcp.Server {
	p := mcp.NewServer(&mcp.Implementation{Name: "peer", Title: "A peer", Version: "1"},
		&mcp.ServerOptions{Instructions: "Be kind.\nBe quick.", SupportedProtocolVersions: []string{version}})
	tool := func(name string, handler mcp.ToolHandler) {
		p.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, handler)
	}
	if version == current {
		tool("greet", greetByRounds)
	} else {
		tool("greet", greetByRequests)
	}
	tool("survey", survey)
	tool("sign_in", signIn())
	tool("work", work)
	tool("wait", wait)
	tool("die", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		os.Exit(3)
		return nil, nil
	})
	p.AddPrompt(&mcp.Prompt{Name: "hello"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Hello."}}}}, nil
	})
	p.AddResource(&mcp.Resource{Name: "motto", URI: "https://peer.example/motto"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "Onwards."}}}, nil
	})
	return p
}

func said(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// argument is a text among a tool's arguments, "" if it is not there.
func argument(req *mcp.CallToolRequest, name string) string {
	var arguments map[string]string
	json.Unmarshal(req.Params.Arguments, &arguments)
	return arguments[name]
}

func ask(field string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "What is your " + field + "?", RequestedSchema: json.RawMessage(
		`{"type":"object","properties":{"` + field + `":{"type":"string"}},"required":["` + field + `"]}`)}
}

// greetByRequests asks two questions one after the other, by requests of its
// own. With chatty it logs when that file is there.
func greetByRequests(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if start := argument(req, "chatty"); start != "" {
		go func() {
			awaitFile(start)
			for n := range 100 {
				fmt.Fprintf(os.Stderr, "line %d\n", n)
			}
			note("chatted")
		}()
	}
	var answers []any
	for _, field := range []string{"name", "town"} {
		answer, err := req.Session.Elicit(ctx, ask(field))
		switch {
		case ctx.Err() != nil:
			note("canceled")
			return nil, ctx.Err()
		case err != nil:
			return nil, err
		case answer.Action != "accept":
			return said("No greeting: %s.", answer.Action), nil
		}
		answers = append(answers, answer.Content[field])
	}
	return said("Hello %s of %s.", answers...), nil
}

// greetByRounds asks the same in two rounds.
func greetByRounds(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	content := func(key string) any { return req.Params.InputResponses[key].(*mcp.ElicitResult).Content[key] }
	switch {
	case req.Params.RequestState != "":
		return said("Hello %s of %s.", req.Params.RequestState, content("town")), nil
	case req.Params.InputResponses == nil:
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"name": ask("name")}}, nil
	default:
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"town": ask("town")}, RequestState: fmt.Sprint(content("name"))}, nil
	}
}

// weatherByRounds asks one question.
func weatherByRounds(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.InputResponses == nil {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"units": ask("units")}}, nil
	}
	return said("It rains."), nil
}

// survey asks a model and for folders by requests of its own.
func survey(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer, err := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{
		Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "one two"}}}, MaxTokens: 9})
	if err != nil {
		return nil, err
	}
	roots, err := req.Session.ListRoots(ctx, nil)
	if err != nil {
		return nil, err
	}
	return said("%s %d folder(s)", answer.Content.(*mcp.TextContent).Text, len(roots.Roots)), nil
}

// signIn wants a page opened first, by the error -32042. The first time that
// is not enough, and it tells when it is.
func signIn() mcp.ToolHandler {
	var calls atomic.Int32
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if calls.Add(1) > 1 {
			return said("You are in."), nil
		}
		id := "e1"
		if done := argument(req, "tells"); done != "" {
			go func() {
				awaitFile(done)
				req.Session.NotifyElicitationComplete(context.Background(), &mcp.ElicitationCompleteParams{ElicitationID: id})
			}()
		}
		return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{
			{Mode: "url", Message: "Sign in", URL: "https://peer.example/sign-in", ElicitationID: id}})
	}
}

// work tells how far it is, and logs. With until it ends when that file is there.
func work(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Logger: "db", Data: "look out\x1b[2J"})
	req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: req.Params.GetProgressToken(), Progress: 3, Total: 10, Message: "halfway"})
	if end := argument(req, "until"); end != "" {
		awaitFile(end)
	}
	return said("done"), nil
}

// wait waits until it is canceled.
func wait(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	note("called")
	<-ctx.Done()
	note("canceled")
	return nil, ctx.Err()
}

// hostileLines is a server whose every string is hostile, also what it logs.
func hostileLines() error {
	fmt.Fprintln(os.Stderr, evil(30))
	fmt.Println(evil(31)) // no message at all
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var request struct {
			ID     json.RawMessage
			Method string
		}
		json.Unmarshal(lines.Bytes(), &request)
		body := ""
		switch request.Method {
		case "server/discover":
			body = `"result":{"supportedVersions":["2026-07-28"],"capabilities":{<1>:{<2>:true}},"instructions":<3>,
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":<4>,"title":<5>,"version":<6>,"websiteUrl":<7>}}}`
		case "tools/list":
			body = `"result":{"resultType":"complete","tools":[{"name":<8>,"title":<9>,"description":<10>,"inputSchema":{"type":"object",
				"properties":{<11>:{"type":<12>,"description":<13>,"default":<14>},"e":{"enum":[<15>]}}}}]}`
		case "tools/call":
			fmt.Println(strings.ReplaceAll(quoted(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":<17>,"logger":<18>,"data":{"x":<19>}}}`), "\n", ""))
			body = `"error":{"code":-32000,"message":<20>}`
		default:
			continue
		}
		fmt.Println(strings.ReplaceAll(quoted(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, request.ID, body)), "\n", ""))
	}
	return lines.Err()
}
