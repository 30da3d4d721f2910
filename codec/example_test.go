package codec_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// localGuard makes a Guard with a key of this process alone.
func localGuard() (*codec.Guard, error) {
	secret := make([]byte, codec.MinSecret)
	rand.Read(secret) // never fails
	key, err := codec.NewKey(codec.SuiteXChaCha, secret)
	if err != nil {
		return nil, err
	}
	ring, err := codec.NewKeyRing(key)
	if err != nil {
		return nil, err
	}
	aead, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		return nil, err
	}
	return codec.NewGuard(codec.GuardOptions{
		Codec: aead, Env: codec.Env{Rand: rand.Reader, Now: time.Now},
		ProcessLocal: true,           // else Audience names the service
		TTL:          24 * time.Hour, // a person's time to think, in each round
	})
}

// A server holds each request and its result against a Guard: what its handler
// set as requestState leaves sealed, and comes back only with the same request.
func Example() {
	guard, err := localGuard()
	if err != nil {
		fmt.Println(err)
		return
	}
	who := "mona"
	_, exchange, err := guard.Inbound("tools/call", []byte(`{"name":"deploy","arguments":{"to":"test"}}`), &who)
	if err != nil {
		fmt.Println(err)
		return
	}
	sealed, err := guard.Outbound(exchange, []byte(`{"resultType":"input_required","requestState":"step 2"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var result struct{ RequestState string }
	if err := json.Unmarshal(sealed, &result); err != nil {
		fmt.Println(err)
		return
	}

	again := fmt.Sprintf(`{"name":"deploy","arguments":{"to":"test"},"requestState":%q}`, result.RequestState)
	opened, _, err := guard.Inbound("tools/call", []byte(again), &who)
	fmt.Printf("%s %v\n", opened, err)

	other := fmt.Sprintf(`{"name":"deploy","arguments":{"to":"live"},"requestState":%q}`, result.RequestState)
	_, _, err = guard.Inbound("tools/call", []byte(other), &who)
	fmt.Println(errors.Is(err, refusal.Arguments), err) // for the log
	var refused *codec.Error
	if errors.As(err, &refused) {
		fmt.Printf("%s\n", refused.AppendResponse(nil)) // for the client
	}
	// Output:
	// {"name":"deploy","arguments":{"to":"test"},"requestState":"step 2"} <nil>
	// true codec: arguments
	// {"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}
}

// A server that has decoded its messages seals and opens values, and asks how an
// answer relates to the question it would ask now.
func ExampleGuard_Seal() {
	guard, err := localGuard()
	if err != nil {
		fmt.Println(err)
		return
	}
	request := codec.Binding{Method: "tools/call", Target: "deploy", Arguments: []byte(`{}`)}
	_, exchange, err := guard.Open(request, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	sure := codec.Question{Key: "sure", Method: "elicitation/create", Params: []byte(`{"message":"Sure?"}`)}
	token, err := guard.Seal(exchange, nil, []codec.Question{sure})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, exchange, err = guard.Open(request, token, []string{"sure", "more"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(exchange.Verdict(sure.Key, sure.Method, sure.Params) == codec.Same)
	fmt.Println(exchange.Verdict(sure.Key, sure.Method, []byte(`{"message":"Really?"}`)) == codec.Changed)
	fmt.Println(exchange.Verdict("more", sure.Method, nil) == codec.Missing)
	// Output:
	// true
	// true
	// true
}

func ExampleParseKeyRing() {
	text := codec.AppendKey([]byte("# the new one mints\n"), codec.SuiteXChaCha, []byte("a secret is random, not like this"))
	text = codec.AppendKey(text, codec.SuiteXChaCha, []byte("and this one is still accepted  ."))
	ring, err := codec.ParseKeyRing(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, key := range ring.Keys() {
		fmt.Printf("%x %x\n", key.Suite(), key.ID())
	}
	// Output:
	// 11 3b2cddfb
	// 11 1a9aa8b9
}

// A parked call at rest.
func ExampleBox() {
	ring, err := codec.ParseKeyRing(codec.AppendKey(nil, codec.SuiteXChaCha, []byte("a secret is random, not like this")))
	if err != nil {
		fmt.Println(err)
		return
	}
	box, err := codec.NewBox(ring)
	if err != nil {
		fmt.Println(err)
		return
	}
	sealed, err := box.SealBytes([]byte("a snapshot"), []byte(codec.ContextSnapshot+"call-1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	opened, err := box.OpenBytes(sealed, []byte(codec.ContextSnapshot+"call-1"))
	fmt.Printf("%s %v\n", opened, err)
	_, err = box.OpenBytes(sealed, []byte(codec.ContextSnapshot+"call-2"))
	fmt.Println(errors.Is(err, refusal.Forged))
	// Output:
	// a snapshot <nil>
	// true
}

// What an operator sees of a token, without its key and with it.
func ExampleInspect() {
	ring, err := codec.ParseKeyRing(codec.AppendKey(nil, codec.SuiteXChaCha, []byte("a secret is random, not like this")))
	if err != nil {
		fmt.Println(err)
		return
	}
	aead, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	noon := func() time.Time { return time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC) }
	guard, err := codec.NewGuard(codec.GuardOptions{Codec: aead, Env: codec.Env{Rand: rand.Reader, Now: noon}, Audience: "deploys", TTL: 24 * time.Hour})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, exchange, _ := guard.Open(codec.Binding{Method: "tools/call", Target: "deploy"}, nil, nil)
	state := "step 2"
	token, err := guard.Seal(exchange, &state, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	suite, id, err := codec.Head(*token)
	fmt.Printf("suite %x, key %x, %v\n", suite, id, err)
	plaintext, err := aead.Open(*token, []byte(codec.ContextGuard))
	if err != nil {
		fmt.Println(err)
		return
	}
	claims, err := codec.Inspect(plaintext)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("minted", claims.Minted.Format(time.DateTime), "expires", claims.Expires.Format(time.DateTime), "after", claims.Rounds, "rounds")
	// Output:
	// suite 11, key 3b2cddfb, <nil>
	// minted 2026-09-01 12:00:00 expires 2026-09-02 12:00:00 after 0 rounds
}

func ExamplePrincipal() {
	client, subject := "desk", "mona"
	fmt.Println(*codec.Principal(&client, nil, &subject))
	// Output: ["desk",null,"mona"]
}
