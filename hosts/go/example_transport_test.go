package parley_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// HandlerTransport carries a session to an HTTP handler of the same process,
// which answers with JSON, and needs no network for it.
type HandlerTransport struct {
	Handler http.Handler

	running sync.WaitGroup
}

func (t *HandlerTransport) Kind() session.Transport { return session.HTTP }

func (t *HandlerTransport) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	post, ok := a.(session.Post)
	if !ok {
		return // the rest is for servers of earlier versions
	}
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", bytes.NewReader(post.Body))
	for _, field := range post.Headers {
		request.Header.Set(field.Name, field.Value)
	}
	t.running.Go(func() {
		response := httptest.NewRecorder()
		t.Handler.ServeHTTP(response, request)
		report(session.Message{Exchange: post.Exchange, Status: response.Code, Body: response.Body.Bytes(), Last: true}, nil)
	})
}

func (t *HandlerTransport) Close() error {
	t.running.Wait() // their contexts have ended
	return nil
}

// clock is a server with one prompt.
func clock(w http.ResponseWriter, r *http.Request) {
	var request struct{ ID json.RawMessage }
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","description":"What to do at noon","messages":[]}}`, request.ID)
}

// A transport of one's own.
func ExampleTransport() {
	s, err := parley.NewSession(parley.Native{}, &HandlerTransport{Handler: http.HandlerFunc(clock)}, parley.SessionOptions{})
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
