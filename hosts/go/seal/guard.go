// Package seal is what a server needs to seal requestState: keys and their
// rotation, a memory of used states, and one constructor for all of it. It seals
// natively; package sandbox does the same in WebAssembly.
//
//	guard, err := seal.NewGuard(keyFile, codec.GuardOptions{Audience: "my-server", TTL: 24 * time.Hour})
//	server.AddReceivingMiddleware(gosdk.Guard(guard, gosdk.Options{}))
//
// TTL is a person's time to think in each round. A longer one has a price: see
// [codec.GuardOptions].
//
// Instances of a server share the key file and the audience, and continue each
// other's calls. Without a key file the key ends with the process.
package seal

import (
	"crypto/rand"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// NewGuard makes a [codec.Guard] with the keys of a file, which [CreateKeyFile]
// makes; "" is a new key that no other
// process has. It fills in what o leaves out: Codec, Env, ProcessLocal without a
// file, and for SingleUse a [MemoryReplay]. To rotate keys while the server runs,
// give it a [SwapCodec]. A Codec of your own takes no file: keyFile is "" then.
//
// It fails as [LoadKeyFile] and [codec.NewGuard] do.
func NewGuard(keyFile string, o codec.GuardOptions) (*codec.Guard, error) {
	if o.Codec != nil && keyFile != "" {
		return nil, &codec.Error{Code: refusal.Options, Detail: "give a key file or a Codec, not both"}
	}
	if o.Codec == nil {
		ring, err := ringOf(keyFile)
		if err != nil {
			return nil, err
		}
		if o.Codec, err = codec.NewAEAD(ring, codec.CodecOptions{}); err != nil {
			return nil, err
		}
		o.ProcessLocal = o.ProcessLocal || keyFile == ""
	}
	if o.Env.Rand == nil {
		o.Env.Rand = rand.Reader
	}
	if o.Env.Now == nil {
		o.Env.Now = time.Now
	}
	if o.Replay == nil && len(o.SingleUse) > 0 {
		o.Replay = &MemoryReplay{Now: o.Env.Now}
	}
	return codec.NewGuard(o)
}

func ringOf(keyFile string) (*codec.KeyRing, error) {
	if keyFile == "" {
		return NewProcessRing()
	}
	return LoadKeyFile(keyFile)
}
