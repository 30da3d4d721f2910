package parley_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/schema"
)

// The engine in a sandbox, and a call with bounds, askers and watchers of its
// own.
func ExampleRequest() {
	server := httptest.NewServer(http.HandlerFunc(weather))
	defer server.Close()
	sandbox, err := parley.NewRuntime(parley.RuntimeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sandbox.Close()
	quiet := slog.New(slog.NewTextHandler(os.Stderr, nil)) // says nothing below its level
	s, err := parley.NewSession(sandbox, &parley.StreamableHTTP{URL: server.URL}, parley.SessionOptions{Logger: quiet})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	out, err := s.Call(context.Background(), parley.Request{
		Method:  "tools/call",
		Params:  []byte(`{"name":"get_weather","arguments":{"location":"Oslo"}}`),
		Options: engine.Options{MaxRounds: 3, LegTimeout: 30 * time.Second, Peer: "weather", Principal: "ann"},
		Askers: &parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) {
			return parley.Accept(map[string]string{"units": "metric"})
		}},
		Watchers: parley.Watchers{OnLeg: func(l engine.Leg) {
			if l.Answer != "" {
				fmt.Println("leg", l.Leg, l.Answer)
			}
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var res schema.CallToolResult
	if err := json.Unmarshal(out.Result, &res); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Content[0].Text)
	// Output:
	// leg 1 input_required
	// leg 2 complete
	// Oslo: 21 °C
}

// A call is parked from outside, when the program is about to end, and resumed
// from its snapshot.
func ExampleResumption() {
	server := httptest.NewServer(http.HandlerFunc(weather))
	defer server.Close()
	ending := make(chan struct{})
	s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: server.URL}, parley.SessionOptions{
		Askers: parley.Askers{Elicit: func(ctx context.Context, _ parley.Question) ([]byte, error) {
			close(ending) // a signal came while the person was thinking
			<-ctx.Done()
			return nil, ctx.Err()
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	out, err := s.Call(context.Background(), parley.Request{
		Method: "tools/call", Params: []byte(`{"name":"get_weather","arguments":{"location":"Oslo"}}`), Park: ending,
	})
	fmt.Println(out.Parked, err)

	out, err = s.Resume(context.Background(), parley.Resumption{
		Snapshot: out.Snapshot,
		Askers: &parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) {
			return parley.Accept(map[string]string{"units": "metric"})
		}},
	})
	fmt.Println(out.Parked, err)
	// Output:
	// true <nil>
	// false <nil>
}
