package parley_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// A server behind a URL. Which protocol version it speaks is found out.
func ExampleNewSession() {
	server := httptest.NewServer(http.HandlerFunc(weather))
	defer server.Close()

	s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: server.URL}, parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "my-host", Version: "1.0"},
		Askers: parley.Askers{
			Elicit: func(_ context.Context, q parley.Question) ([]byte, error) { // usually a person
				return parley.Accept(map[string]string{"units": "metric"})
			},
		},
		Watchers: parley.SessionWatchers{OnReady: func(r session.Ready) { fmt.Println("it speaks", r.Version) }},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	res, err := s.CallTool(context.Background(), parley.ToolCall{Name: "get_weather", Arguments: map[string]string{"location": "Oslo"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Flush() // until OnReady has been told
	fmt.Println(res.Content[0].Text)
	// Output:
	// it speaks 2026-07-28
	// Oslo: 21 °C
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
		Askers: parley.Askers{
			Elicit: func(context.Context, parley.Question) ([]byte, error) { return parley.Decline(), nil },
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close() // ends the process

	for tool, err := range s.Tools(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tool.Name)
	}
}

// ticking is a server with one prompt, which reads and writes a message a line.
func ticking(conn io.ReadWriteCloser) {
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		var request struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			return
		}
		result := ""
		switch request.Method {
		case "server/discover":
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}}}`
		case "prompts/get":
			result = `{"resultType":"complete","description":"What to do at noon","messages":[]}`
		}
		fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", request.ID, result)
	}
}

// A server in the same process.
func ExampleInProcess() {
	s, err := parley.NewSession(parley.Native{}, parley.InProcess(ticking), parley.SessionOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	prompt, err := s.GetPrompt(context.Background(), parley.PromptGet{Name: "noon"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(prompt.Description)
	// Output:
	// What to do at noon
}
