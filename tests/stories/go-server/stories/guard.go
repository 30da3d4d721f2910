package stories

import (
	"crypto/rand"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// guard returns the middleware that seals what one round tells the next.
func (o Options) guard() mcp.Middleware {
	g := codec.GuardOptions{
		Codec:     o.Codec,
		Env:       codec.Env{Rand: rand.Reader, Now: o.Now},
		Audience:  o.Audience,
		TTL:       o.TTL,
		SingleUse: o.SingleUse,
		Replay:    &parley.MemoryReplay{Now: o.Now},
	}
	guard, err := codec.NewGuard(g)
	if err != nil {
		panic(err)
	}
	return gosdk.Guard(guard, gosdk.Options{
		Logger: o.Logger,
		// The answer decides nothing but what is read back to whoever gave it, so
		// that clients can be tried against a round without requestState.
		Unpinned: []string{"list_files"},
	})
}

// withDefaults fills in what is zero.
func (o Options) withDefaults() Options {
	if o.Codec == nil {
		o.Codec = processCodec()
	}
	if o.Audience == "" {
		o.Audience = DefaultAudience
	}
	if o.TTL == 0 {
		o.TTL = DefaultTTL
	}
	if o.Step == 0 {
		o.Step = DefaultStep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// processCodec has a key of its own, which ends with the process.
func processCodec() codec.Codec {
	ring, err := parley.NewProcessRing()
	if err != nil {
		panic(err) // there is no such ring
	}
	aead, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		panic(err)
	}
	return aead
}
