// Package enginewire is the engine's boundary as JSON text: events in, actions
// out, and the JSON-RPC envelope around a leg. It is what crosses into and out
// of the wasm module and what the corpus is written in; wasm/ABI.md lists the
// shapes.
//
// Values that must stay exact (params, results, answers, bodies) are JSON
// strings holding JSON text, so that a host in a language whose JSON parser
// rounds numbers never parses them.
//
// Every decoder unescapes strings in place: it uses the bytes it is given as
// its own memory, and what it returns points into them.
package enginewire
