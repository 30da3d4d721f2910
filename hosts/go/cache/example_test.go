package cache_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/cache"
)

// Two sessions share what a server says is for anybody: the second does not ask.
func ExampleMemory() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ ID json.Number }
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			fmt.Println(err)
		}
		fmt.Println("asked:", r.Header.Get("Mcp-Method"))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","tools":[{"name":"greet","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"public"}}`, request.ID)
	}))
	defer server.Close()

	var shared cache.Memory
	for range 2 {
		opts := parley.SessionOptions{Cache: cache.Options{Store: &shared, Server: server.URL}}
		s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: server.URL}, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		for tool, err := range s.Tools(context.Background()) {
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println("tool:", tool.Name)
		}
		s.Close()
	}
	// Output:
	// asked: tools/list
	// tool: greet
	// tool: greet
}
