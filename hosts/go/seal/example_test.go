package seal_test

import (
	"fmt"
	"log"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// A server that is one process needs no key file: what it seals ends with it.
func ExampleNewGuard() {
	guard, err := seal.NewGuard("", codec.GuardOptions{TTL: time.Hour, SingleUse: []string{"pay"}})
	if err != nil {
		log.Fatal(err)
	}
	_, x, err := guard.Inbound("tools/call", []byte(`{"name":"pay"}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	result, err := guard.Outbound(x, []byte(`{"resultType":"input_required","requestState":"asked","inputRequests":{}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(result) > 100)
	// Output: true
}

// A server rotates its keys while it runs: on a signal, say, it reads the file
// that parley token rotate has changed.
func ExampleSwapCodec() {
	load := func(file string) (codec.Codec, error) {
		ring, err := seal.LoadKeyFile(file)
		if err != nil {
			return nil, err
		}
		return codec.NewAEAD(ring, codec.CodecOptions{})
	}
	first, err := load("server.key")
	if err != nil {
		log.Fatal(err)
	}
	swap := seal.NewSwapCodec(first)
	guard, err := seal.NewGuard("", codec.GuardOptions{Codec: swap, Audience: "weather.example", TTL: 24 * time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	_ = guard // serves requests; and on the signal:
	if next, err := load("server.key"); err == nil {
		swap.Swap(next)
	}
}
