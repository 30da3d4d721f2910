package parley_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// A server behind a URL. Which protocol version it speaks is found out.
func ExampleNewSession() {
	server := httptest.NewServer(stories.Handler(stories.Options{Logger: slog.New(slog.DiscardHandler)}))
	defer server.Close()

	s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: server.URL}, parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "my-host", Version: "1.0"},
		Callbacks: parley.Callbacks{
			Elicit: func(_ context.Context, q parley.Question) ([]byte, error) { // usually a person
				return parley.Accept(map[string]string{"units": "metric"})
			},
		},
		OnReady: func(r session.Ready) { fmt.Println("it speaks", r.Version) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	out, err := s.Call(context.Background(), "tools/call", []byte(`{"name":"get_weather","arguments":{"location":"Oslo"}}`),
		engine.Options{}, parley.Callbacks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var result struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(out.Result, &result); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(result.Content) > 0 && result.Content[0].Text != "")
	// Output:
	// it speaks 2026-07-28
	// true
}

// A server that is a process, with its log on the host's.
func ExampleStdio() {
	server := &parley.Stdio{Command: func() *exec.Cmd {
		cmd := exec.Command("weather-server", "--stdio")
		cmd.Stderr = os.Stderr
		return cmd
	}}
	s, err := parley.NewSession(parley.Native{}, server, parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "my-host", Version: "1.0"},
		Callbacks: parley.Callbacks{
			Elicit: func(context.Context, parley.Question) ([]byte, error) { return parley.Decline(), nil },
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close() // ends the process

	out, err := s.Call(context.Background(), "tools/call", []byte(`{"name":"get_weather","arguments":{"location":"Oslo"}}`),
		engine.Options{}, parley.Callbacks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", out.Result)
}

// A server on the official SDK in the same process.
func ExampleInProcess() {
	server := mcp.NewServer(&mcp.Implementation{Name: "clock", Version: "1.0"}, nil)
	server.AddPrompt(&mcp.Prompt{Name: "noon"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Description: "What to do at noon"}, nil
	})

	s, err := parley.NewSession(parley.Native{}, parley.InProcess(func(conn io.ReadWriteCloser) {
		server.Run(context.Background(), &mcp.IOTransport{Reader: conn, Writer: conn})
	}), parley.SessionOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	out, err := s.Call(context.Background(), "prompts/get", []byte(`{"name":"noon"}`), engine.Options{}, parley.Callbacks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var result struct{ Description string }
	if err := json.Unmarshal(out.Result, &result); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Description)
	// Output:
	// What to do at noon
}
