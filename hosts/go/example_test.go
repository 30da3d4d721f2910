package parley_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// A tool that asks which units to use, answered by a function.
func ExampleCall() {
	server := httptest.NewServer(stories.Handler(stories.Options{Logger: slog.New(slog.DiscardHandler)}))
	defer server.Close()

	askThePerson := func(_ context.Context, q parley.Question) ([]byte, error) {
		var question struct{ Message string }
		if err := json.Unmarshal(q.Params, &question); err != nil {
			return nil, err
		}
		fmt.Println(question.Message)
		return parley.Accept(map[string]string{"units": "metric"})
	}

	client := &parley.HTTP{URL: server.URL, ClientInfo: parley.Implementation{Name: "my-host", Version: "1.0"}}
	out, err := parley.Call(context.Background(), parley.Native{}, "tools/call", []byte(`{"name":"get_weather","arguments":{"location":"Oslo"}}`),
		engine.Options{}, parley.Callbacks{
			Send:   client.Send,
			Elicit: askThePerson,
		})
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
	// Which units should the weather in Oslo be in?
	// true
}
