package interop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/tests/interop"
)

// playGo plays calls with the Go SDK's client and its automatic loop.
func playGo(t *testing.T, at target, era interop.Era, cases []interop.Case) []interop.Outcome {
	t.Helper()
	c := &goClient{level: "info", completed: make(chan string, 100)}
	client := mcp.NewClient(&mcp.Implementation{Name: "interop-gosdk", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler:          c.elicit,
		CreateMessageHandler:        c.sample,
		ProgressNotificationHandler: c.progress,
		LoggingMessageHandler:       c.log,
		ElicitationCompleteHandler:  c.complete,
		Capabilities: &mcp.ClientCapabilities{
			RootsV2:     &mcp.RootCapabilities{},
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}},
		},
	})
	client.AddRoots(&mcp.Root{URI: interop.Root})
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: at.url}
	if at.url == "" {
		transport = &mcp.CommandTransport{Command: exec.Command(at.command[0], at.command[1:]...)}
	}
	var err error
	if c.session, err = client.Connect(t.Context(), transport, nil); err != nil {
		t.Fatal(err)
	}
	defer c.session.Close()
	version := c.session.InitializeResult().ProtocolVersion
	if modern := version >= "2026-07-28"; modern != (era == interop.Modern) {
		t.Fatalf("the client and the server agreed on %s", version)
	} else if !modern {
		c.level = ""
		if err := c.session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.session.ListTools(t.Context(), nil); err != nil { // names the parameters that are header fields
		t.Fatal(err)
	}
	outcomes := make([]interop.Outcome, len(cases))
	for i, one := range cases {
		outcomes[i] = c.play(t.Context(), one)
	}
	return outcomes
}

// goClient plays one call at a time.
type goClient struct {
	session   *mcp.ClientSession
	level     string // of log messages, with each request
	person    *interop.Person
	progressd chan float64
	logged    chan string
	completed chan string // elicitation ids
}

func (c *goClient) play(parent context.Context, one interop.Case) (got interop.Outcome) {
	ctx, cancel := context.WithTimeout(parent, interop.Patience)
	defer cancel()
	c.person, c.progressd, c.logged = one.Person(), make(chan float64, 100), make(chan string, 100)
	if one.Cancel {
		go func(progressd <-chan float64) {
			<-progressd
			cancel()
		}(c.progressd)
	}
	text, err := c.call(ctx, one)
	if err = c.open(ctx, err); err == errOpened {
		text, err = c.call(ctx, one)
	}
	got.Text, got.Asked, got.Cancelled = text, c.person.Asked(), one.Cancel && err != nil
	if slices.Contains(one.Asked, "roots") { // the SDK names them without asking
		got.Asked = append(got.Asked, "roots")
	}
	if err != nil && !one.Cancel {
		got.Error = err.Error()
	}
	got.Progress = receive(c.progressd, len(one.Progress))
	got.Logs = receive(c.logged, len(one.Logs))
	if then := one.Then; then != nil {
		for begun := time.Now(); got.Then != then.Text && time.Since(begun) < interop.Patience; time.Sleep(20 * time.Millisecond) {
			if got.Then, err = c.call(parent, interop.Case{Tool: then.Tool, Arguments: then.Arguments}); err != nil {
				got.Then = err.Error()
			}
		}
	}
	return got
}

var errOpened = errors.New("every page was opened")

// open opens the pages that an error requires, which the SDK's client does not
// do by itself. Any other error it returns.
func (c *goClient) open(ctx context.Context, err error) error {
	var required *jsonrpc.Error
	if !errors.As(err, &required) || required.Code != mcp.CodeURLElicitationRequired {
		return err
	}
	var data struct{ Elicitations []mcp.ElicitParams }
	if err := json.Unmarshal(required.Data, &data); err != nil {
		return err
	}
	for _, e := range data.Elicitations {
		if answer, err := c.person.Elicit(ctx, e.Message, e.URL); err != nil || answer.Action != "accept" {
			return fmt.Errorf("the page was not opened: %s %v", answer.Action, err)
		}
		for id := ""; id != e.ElicitationID; {
			select {
			case id = <-c.completed:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return errOpened
}

// call makes the call and returns the text it comes to.
func (c *goClient) call(ctx context.Context, one interop.Case) (string, error) {
	meta := mcp.Meta{"progressToken": one.Name}
	if c.level != "" {
		meta[mcp.MetaKeyLogLevel] = c.level
	}
	switch {
	case one.Tool != "":
		params := &mcp.CallToolParams{Meta: meta, Name: one.Tool}
		if one.Arguments != nil {
			params.Arguments = one.Arguments
		}
		res, err := c.session.CallTool(ctx, params)
		if err != nil {
			return "", err
		}
		return text(res.Content...), nil
	case one.Prompt != "":
		params := &mcp.GetPromptParams{Meta: meta, Name: one.Prompt}
		if err := json.Unmarshal(one.Arguments, &params.Arguments); err != nil {
			return "", err
		}
		res, err := c.session.GetPrompt(ctx, params)
		if err != nil {
			return "", err
		}
		return text(res.Messages[0].Content), nil
	}
	res, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{Meta: meta, URI: one.Resource})
	if err != nil {
		return "", err
	}
	return res.Contents[0].Text, nil
}

func text(content ...mcp.Content) string {
	if len(content) == 1 {
		if text, ok := content[0].(*mcp.TextContent); ok {
			return text.Text
		}
	}
	return fmt.Sprintf("%d blocks that are not a text", len(content))
}

func (c *goClient) elicit(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	answer, err := c.person.Elicit(ctx, req.Params.Message, req.Params.URL)
	if err != nil {
		return nil, err
	}
	res := &mcp.ElicitResult{Action: answer.Action}
	if answer.Content != nil {
		err = json.Unmarshal(answer.Content, &res.Content)
	}
	return res, err
}

func (c *goClient) sample(_ context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	said := c.person.Sample(text(req.Params.Messages[0].Content))
	return &mcp.CreateMessageResult{Role: "assistant", Model: "none", Content: &mcp.TextContent{Text: said}}, nil
}

func (c *goClient) progress(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
	c.progressd <- req.Params.Progress
}

func (c *goClient) log(_ context.Context, req *mcp.LoggingMessageRequest) {
	c.logged <- fmt.Sprint(req.Params.Data)
}

func (c *goClient) complete(_ context.Context, req *mcp.ElicitationCompleteNotificationRequest) {
	c.completed <- req.Params.ElicitationID
}

// receive waits for n notifications, which are delivered apart from results.
func receive[T any](from <-chan T, n int) (got []T) {
	late := time.After(interop.Patience)
	for range n {
		select {
		case one := <-from:
			got = append(got, one)
		case <-late:
			return got
		}
	}
	return got
}
