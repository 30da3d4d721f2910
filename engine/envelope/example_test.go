package envelope_test

import (
	"fmt"

	"github.com/parley-mcp/parley/engine/envelope"
)

func ExampleAppend() {
	r := &envelope.Request{
		ID: 7, Method: "tools/call", Params: []byte(`{"name":"weather"}`),
		Capabilities: []byte(`{"elicitation":{"form":{}}}`),
	}
	body, err := envelope.Append(nil, r)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", body)
	for _, h := range envelope.Headers(r) {
		fmt.Printf("%s: %s\n", h.Name, h.Value)
	}
	// Output:
	// {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"weather","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}}}
	// MCP-Protocol-Version: 2026-07-28
	// Mcp-Method: tools/call
	// Mcp-Name: weather
}

func ExampleRead() {
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}`,
		`[]`,
	} {
		m, err := envelope.Read([]byte(text))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("id %q, method %q, params %q, result %q\n", m.ID, m.Method, m.Params, m.Result)
	}
	// Output:
	// id "7", method "", params "", result "{\"content\":[]}"
	// id "", method "notifications/progress", params "{\"progressToken\":7,\"progress\":1}", result ""
	// engine: malformed message from the server: message: expected an object at byte 0
}
