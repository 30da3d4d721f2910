// Package parley, imported as parley although its folder is called go, is an MCP
// client: it performs what the engine decides and asks the host's askers for the
// rest.
//
//	import parley "github.com/parley-mcp/parley/hosts/go"
//
//	s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: url}, parley.SessionOptions{
//		ClientInfo: parley.Implementation{Name: "my-host", Version: "1"},
//		Askers:     parley.Askers{Elicit: askThePerson},
//	})
//	defer s.Close()
//	res, err := s.CallTool(ctx, parley.ToolCall{Name: "get_weather", Arguments: map[string]any{"location": "Oslo"}})
//
// A [Session] speaks to one server, over HTTP ([StreamableHTTP]), to a process
// ([Stdio]) or over any connection ([Lines], [Transport]), in whichever version
// of the protocol the server knows. If you already have a client, make the
// session over [Requests], a function that sends one request. To drive the loop
// by hand, without any of this, use a [Flow].
//
// # Calls
//
// [Session.Call] makes any request and returns its result byte for byte;
// [Session.CallTool], [Session.GetPrompt] and [Session.ReadResource] read it, too.
// [Session.Tools] and its siblings are the server's lists.
//
// [Askers] answer what the server asks for, [Watchers] are told what happens. Both
// may be a call's own.
//
// A call ends when it is done, or when an asker parks it, or when it fails.
// What it collected is then in a snapshot, and [Session.Resume] continues it,
// in another process if need be. Package store keeps snapshots; see [Keep] and
// [Settle].
//
// # Engines
//
// The engine comes in two forms behind one interface: [Native] runs in the
// host's own process as Go code, a [Runtime] runs the WebAssembly module in a
// wazero sandbox without any import. They give the same bytes.
//
// # Servers
//
// What a server needs is not here: package seal seals requestState, and package
// gosdk puts that around the official SDK.
package parley
