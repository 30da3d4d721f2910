// Package cache is where a session of the Go host keeps results that it may use
// again: lists and resources of servers that say for how long. What may be kept,
// and used, the engine decides; here are keys and texts.
package cache

import (
	"context"
	"time"
)

// Options say where a session keeps results. The zero value keeps them in memory
// of its own for as long as it lives.
type Options struct {
	// Off keeps nothing: the server is asked each time.
	Off bool

	// Store keeps what a server says is for anybody, beside what a session keeps
	// for itself alone. It may outlive the session, and be shared.
	Store Store

	// Server names the server in a Store, such as its url: two servers of the same
	// name would be taken for one. At most 2 KiB.
	Server string
}

// Store keeps texts under keys. Whatever it loses or fails at, the server is
// asked instead; what it brings back wrongly is not used. It is called from any
// goroutine, must mind its context, and is not waited for long.
type Store interface {
	// Get returns what is kept under a key, nil if there is nothing. The text is
	// not changed.
	Get(ctx context.Context, key string) (entry []byte, err error)

	// Set keeps a text, in place of what is there; after until nobody wants it. A
	// key is UTF-8 of at most 32 KiB, an entry JSON of at most 1 MiB. The text does
	// not change.
	Set(ctx context.Context, key string, entry []byte, until time.Time) error

	// Forget drops all whose key begins so.
	Forget(ctx context.Context, prefix string) error
}
