package parley_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/parley-mcp/parley/codec"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// A server guards a tool that asks before it answers. The key file would come
// from parley.ReadKeyFile.
func ExampleRuntime_NewGuard() {
	ctx := context.Background()
	rt, err := parley.NewRuntime(ctx, parley.RuntimeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	keys, err := parley.GenerateKey(codec.SuiteXChaCha)
	if err != nil {
		log.Fatal(err)
	}
	guard, err := rt.NewGuard(ctx, keys, codec.CodecOptions{}, codec.GuardOptions{Audience: "weather.example", TTL: time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	defer guard.Close()

	// The first leg: the handler asks, and sets a state.
	_, x, err := guard.Inbound("tools/call", []byte(`{"name":"get_weather"}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	result, err := guard.Outbound(x, []byte(`{"resultType":"input_required","requestState":"which city?",`+
		`"inputRequests":{"city":{"method":"elicitation/create","params":{"message":"Which city?"}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the client can read the state:", strings.Contains(string(result), "which city?"))

	// The second one: the state is the handler's again, and what nobody asked for is gone.
	_, token, _ := strings.Cut(string(result), `"requestState":`)
	token, _, _ = strings.Cut(token, ",")
	params, _, err := guard.Inbound("tools/call", []byte(`{"name":"get_weather","requestState":`+token+
		`,"inputResponses":{"city":{"action":"decline"},"admin":{"action":"accept"}}}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(params))
	// Output:
	// the client can read the state: false
	// {"name":"get_weather","requestState":"which city?","inputResponses":{"city":{"action":"decline"}}}
}

// A server rotates its keys while it runs: on a signal, say, it reads the file
// that parley token rotate has changed.
func ExampleSwapCodec() {
	load := func(file string) (codec.Codec, error) {
		ring, err := parley.LoadKeyFile(file)
		if err != nil {
			return nil, err
		}
		return codec.NewAEAD(ring, codec.CodecOptions{})
	}
	first, err := load("server.key")
	if err != nil {
		log.Fatal(err)
	}
	swap := parley.NewSwapCodec(first)
	guard, err := codec.NewGuard(codec.GuardOptions{Codec: swap, Audience: "weather.example", Env: codec.Env{Rand: rand.Reader, Now: time.Now}})
	if err != nil {
		log.Fatal(err)
	}
	_ = guard // serves requests; and on the signal:
	if next, err := load("server.key"); err == nil {
		swap.Swap(next)
	}
}
