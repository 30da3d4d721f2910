package main

import (
	"fmt"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/engine"
)

const (
	// maxArguments bounds the arguments of a call, in bytes: a file in base64 is
	// among them, or several.
	maxArguments = 64 << 20

	// maxSaved bounds the arguments of a call that is saved, in bytes. Each
	// snapshot has them, and what was asked and answered, and is sealed whole.
	maxSaved = codec.MaxBox - 1<<20

	// maxProgress bounds the time of a leg that reports progress, unless --timeout
	// is longer.
	maxProgress = 10 * time.Minute
)

// limits are the engine's bounds, where they differ from its own.
func limits() engine.Limits {
	return engine.Limits{
		Params:   maxArguments + 1<<20, // and the name
		Snapshot: 4 * maxArguments,     // the store is what says that it is too long
	}
}

// tooLong says that arguments are more than go out.
func tooLong(arguments string) error {
	return fmt.Errorf("%s are longer than %d MiB, the most that parley sends", arguments, maxArguments>>20)
}
