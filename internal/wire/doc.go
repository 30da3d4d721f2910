// Package wire is the engine's boundary: events in, actions out, and the
// JSON-RPC envelope around a leg. It has two notations, [Text], which the corpus is
// written in, and [Frame], which crosses into and out of the wasm modules; wasm/ABI.md
// lists the shapes.
//
// Values that must stay exact (params, results, answers, bodies) are bytes in a
// frame and JSON strings holding JSON text in the other, so that a host in a language
// whose JSON parser rounds numbers never parses them.
//
// The comment at a function that visits members documents its type, and the one behind a
// line its member: go test -update writes both into wasm/ABI.md, wire.d.ts and options.py.
//
// Every decoder unescapes strings in place: it uses the bytes it is given as
// its own memory, and what it returns points into them.
package wire
