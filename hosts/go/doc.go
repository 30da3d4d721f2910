// Package parley drives MCP's multi-round-trip loop for a Go host: it performs
// what the engine decides and asks the host's callbacks for the rest.
//
//	client := &parley.HTTP{URL: "http://127.0.0.1:8080/mcp", ClientInfo: parley.Implementation{Name: "my-host", Version: "1"}}
//	res, err := parley.Call(ctx, parley.Native{}, "tools/call", params, engine.Options{}, parley.Callbacks{
//		Send:   client.Send,
//		Elicit: askThePerson,
//	})
//
// The engine comes in two makes behind one interface: [Native] runs in the
// host's own process as Go code, a [Runtime] runs the WebAssembly module in a
// wazero sandbox without any import. They give the same bytes.
//
// For servers, a Runtime runs package codec in the same sandbox: see
// [Runtime.NewGuard], [SwapCodec] and [LoadKeyFile]; package gosdk puts it around
// the official SDK.
package parley
