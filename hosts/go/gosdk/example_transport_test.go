package gosdk_test

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/sentence"
)

// SDKTransport carries a session over any client transport of the official
// SDK. It has one connection: when that breaks, messages cannot be sent.
type SDKTransport struct {
	Transport mcp.Transport

	once   sync.Once
	conn   mcp.Connection
	err    error
	reader sync.WaitGroup
}

func (t *SDKTransport) Kind() session.Transport { return session.Stdio }

func (t *SDKTransport) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	post, ok := a.(session.Post)
	if !ok {
		return
	}
	t.once.Do(func() {
		if t.conn, t.err = t.Transport.Connect(ctx); t.err == nil {
			t.reader.Go(func() { t.read(report) })
		}
	})
	message, err := jsonrpc.DecodeMessage(post.Body)
	if err == nil {
		err = t.err
	}
	if err != nil {
		report(session.Ended{Exchange: post.Exchange, Reason: sentence.Value(err.Error()), Unsent: true}, err)
		return
	}
	if err := t.conn.Write(ctx, message); err != nil { // some of it may be there
		report(session.Ended{Exchange: post.Exchange, Reason: sentence.Value(err.Error())}, err)
	}
}

func (t *SDKTransport) read(report func(session.Event, error)) {
	for {
		message, err := t.conn.Read(context.Background())
		if err != nil {
			report(session.Down{Reason: sentence.Value(err.Error())}, nil)
			return
		}
		if body, err := jsonrpc.EncodeMessage(message); err == nil {
			report(session.Message{Body: body}, nil)
		}
	}
}

func (t *SDKTransport) Close() error {
	if t.conn == nil {
		return nil
	}
	err := t.conn.Close()
	t.reader.Wait()
	return err
}

// A client: its transport can be any that the SDK has.
func Example_transport() {
	server := mcp.NewServer(&mcp.Implementation{Name: "clock", Version: "1.0"}, nil)
	server.AddPrompt(&mcp.Prompt{Name: "noon"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Description: "What to do at noon"}, nil
	})
	ours, theirs := mcp.NewInMemoryTransports()
	running, err := server.Connect(context.Background(), theirs, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer running.Close()

	s, err := parley.NewSession(parley.Native{}, &SDKTransport{Transport: ours}, parley.SessionOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	out, err := s.Call(context.Background(), parley.Request{Method: "prompts/get", Params: []byte(`{"name":"noon"}`)})
	fmt.Println(strings.Contains(string(out.Result), "What to do at noon"), err)
	// Output:
	// true <nil>
}
