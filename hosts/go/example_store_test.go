package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/schema"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// A call that nobody can answer now is parked, and another process goes on with
// it.
func ExampleSettle() {
	server := httptest.NewServer(http.HandlerFunc(weather))
	defer server.Close()
	dir, err := os.MkdirTemp("", "calls")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	id, err := park(server.URL, dir)
	if err == nil {
		err = goOn(server.URL, dir, id)
	}
	fmt.Println(err)
	// Output:
	// Oslo: 21 °C
	// <nil>
}

func park(url, dir string) (id string, err error) {
	ctx := context.Background()
	s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: url}, parley.SessionOptions{
		Askers: parley.Askers{
			Elicit: func(context.Context, parley.Question) ([]byte, error) { return nil, parley.ErrPark },
		},
	})
	if err != nil {
		return "", err
	}
	defer s.Close()
	id = store.NewID()
	lease, err := (&store.Files{Dir: dir, Unsealed: true}).Create(ctx, id)
	if err != nil {
		return "", err
	}
	out, err := s.Call(ctx, parley.Request{Method: "tools/call", Params: []byte(`{"name":"get_weather","arguments":{"location":"Oslo"}}`), Save: store.Saver(lease, store.About{})})
	return id, errors.Join(err, parley.Settle(ctx, lease, out, err))
}

func goOn(url, dir, id string) error {
	ctx := context.Background()
	s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: url}, parley.SessionOptions{
		Askers: parley.Askers{
			Elicit: func(context.Context, parley.Question) ([]byte, error) { // a person who takes their time
				return parley.Accept(map[string]string{"units": "metric"})
			},
		},
	})
	if err != nil {
		return err
	}
	defer s.Close()
	lease, snapshot, err := (&store.Files{Dir: dir, Unsealed: true}).Take(ctx, id)
	if err != nil {
		return err
	}
	ctx, stop := parley.Keep(ctx, lease)
	defer stop()
	out, err := s.Resume(ctx, parley.Resumption{Snapshot: snapshot, Save: store.Saver(lease, store.About{})})
	if err = errors.Join(err, parley.Settle(ctx, lease, out, err)); err != nil {
		return err
	}
	var res schema.CallToolResult
	if err := json.Unmarshal(out.Result, &res); err != nil {
		return err
	}
	fmt.Println(res.Content[0].Text)
	return nil
}
