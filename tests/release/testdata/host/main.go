// A host: a server asks for units, natively and in the sandbox.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	parley "github.com/parley-mcp/parley/hosts/go"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(weather))
	defer server.Close()
	ctx := context.Background()
	call(ctx, "native", parley.Native{}, server.URL)
	runtime, err := parley.NewRuntime(parley.RuntimeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer runtime.Close()
	call(ctx, "wazero", runtime, server.URL)
}

func call(ctx context.Context, name string, e parley.Engine, url string) {
	elicit := func(context.Context, parley.Question) ([]byte, error) {
		return parley.Accept(map[string]string{"units": "metric"})
	}
	s, err := parley.NewSession(e, &parley.StreamableHTTP{URL: url}, parley.SessionOptions{Askers: parley.Askers{Elicit: elicit}})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	out, err := s.Call(ctx, parley.Request{Method: "tools/call", Params: []byte(`{"name":"get_weather"}`)})
	if err != nil {
		log.Fatal(err)
	}
	var result struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(out.Result, &result); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %s\n", name, result.Content[0].Text)
}

// weather is a server of 2026-07-28 that asks once.
func weather(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var request struct{ ID json.RawMessage }
	json.Unmarshal(body, &request)
	result := `{"resultType":"input_required","requestState":"s","inputRequests":{"units":{"method":"elicitation/create","params":{"message":"Which units?",
		"requestedSchema":{"type":"object","properties":{"units":{"type":"string"}}}}}}}`
	if strings.Contains(string(body), `"metric"`) {
		result = `{"resultType":"complete","content":[{"type":"text","text":"18 °C"}]}`
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, result)
}
