// Package parley is an MCP client for Go hosts: it performs what the engine
// decides and asks the host's callbacks for the rest.
//
//	s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: url}, parley.SessionOptions{
//		ClientInfo: parley.Implementation{Name: "my-host", Version: "1"},
//		Callbacks:  parley.Callbacks{Elicit: askThePerson},
//	})
//	defer s.Close()
//	out, err := s.Call(ctx, "tools/call", params, engine.Options{}, parley.Callbacks{})
//
// A [Session] speaks to one server, over HTTP ([StreamableHTTP]), to a process
// ([Stdio]) or over any connection ([Lines], [Transport]), in whichever version
// of the protocol the server knows. A call ends when it is done, or when a
// callback parks it, or when it fails; what it collected is then in a snapshot,
// and [Session.Resume] goes on with it, in another process if need be.
//
// Hosts that have a client of their own make the session over [Requests], a
// function that sends one request. By hand, without any of this, the loop is a
// [Flow].
//
// The engine comes in two makes behind one interface: [Native] runs in the
// host's own process as Go code, a [Runtime] runs the WebAssembly module in a
// wazero sandbox without any import. They give the same bytes.
//
// For servers, a Runtime runs package codec in the same sandbox: see
// [Runtime.NewGuard], [SwapCodec] and [LoadKeyFile]; package gosdk puts it around
// the official SDK.
package parley
