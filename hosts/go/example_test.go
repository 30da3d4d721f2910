package parley_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	parley "github.com/parley-mcp/parley/hosts/go"
)

// weather is a server with one tool, which asks in which units. Yours is more
// likely made with an SDK.
func weather(w http.ResponseWriter, r *http.Request) {
	var request struct {
		ID     json.RawMessage
		Params struct {
			Arguments      struct{ Location string }
			InputResponses struct {
				Units struct{ Content struct{ Units string } }
			}
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	location, result := request.Params.Arguments.Location, ""
	switch request.Params.InputResponses.Units.Content.Units {
	case "":
		result = fmt.Sprintf(`{"resultType":"input_required","inputRequests":{"units":{"method":"elicitation/create","params":{
			"message":"Which units should the weather in %s be in?",
			"requestedSchema":{"type":"object","properties":{"units":{"type":"string","enum":["metric","imperial"]}},"required":["units"]}}}}}`, location)
	case "metric":
		result = fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":"%s: 21 °C"}]}`, location)
	case "imperial":
		result = fmt.Sprintf(`{"resultType":"complete","content":[{"type":"text","text":"%s: 70 °F"}]}`, location)
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, result)
}

// A tool that asks which units to use, over a connection of the host's own.
func ExampleRequests() {
	server := httptest.NewServer(http.HandlerFunc(weather))
	defer server.Close()

	askThePerson := func(_ context.Context, q parley.Question) ([]byte, error) {
		var question struct{ Message string }
		if err := json.Unmarshal(q.Params, &question); err != nil {
			return nil, err
		}
		fmt.Println(question.Message)
		return parley.Accept(map[string]string{"units": "metric"})
	}

	send := func(ctx context.Context, r parley.Outbound) ([]byte, error) {
		params := r.Params // to which a client of the protocol adds _meta
		body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, r.Leg, r.Method, params)
		post, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, bytes.NewReader(body))
		if err != nil {
			return nil, errors.Join(parley.ErrUnsent, err)
		}
		response, err := http.DefaultClient.Do(post)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		return io.ReadAll(io.LimitReader(response.Body, 1<<20))
	}
	s, err := parley.NewSession(parley.Native{}, parley.Requests(send), parley.SessionOptions{Askers: parley.Askers{Elicit: askThePerson}})
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
	fmt.Println(res.Content[0].Text)
	// Output:
	// Which units should the weather in Oslo be in?
	// Oslo: 21 °C
}
