package stories

import (
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// guard returns the middleware that seals what one round tells the next.
func (o Options) guard() mcp.Middleware {
	guard, err := seal.NewGuard("", codec.GuardOptions{
		Codec:     o.Codec,
		Env:       codec.Env{Now: o.Now},
		Audience:  o.Audience,
		TTL:       o.TTL,
		SingleUse: o.SingleUse,
	})
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
	if o.Tasks == nil {
		o.Tasks = gosdk.NewTasks(gosdk.TaskOptions{
			TTL: o.TTL, Patience: o.TTL, Poll: min(max(o.Step/4, 100*time.Millisecond), 5*time.Second), Now: o.Now, Logger: o.Logger,
		})
	}
	return o
}

// processCodec has a key of its own, which ends with the process.
func processCodec() codec.Codec {
	ring, err := seal.NewProcessRing()
	if err != nil {
		panic(err) // there is no such ring
	}
	aead, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		panic(err)
	}
	return aead
}
