package codec_test

import (
	"errors"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// TestInspect reads the claims of tokens that a Guard minted.
func TestInspect(t *testing.T) {
	key, err := codec.NewKey(codec.SuiteXChaCha, make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	ring, err := codec.NewKeyRing(key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Unix(1_800_000_000, 0).UTC()
	now := start
	g, err := codec.NewGuard(codec.GuardOptions{Codec: c, Audience: "a", TTL: 90 * time.Second,
		Env: codec.Env{Rand: zeros{}, Now: func() time.Time { return now }}})
	if err != nil {
		t.Fatal(err)
	}
	binding := codec.Binding{Method: "tools/call", Target: "t"}
	ask := []codec.Question{{Key: "k", Method: "elicitation/create", Params: []byte(`{}`)}}
	state := "the state"
	var token *string
	tests := []struct { // rounds of one flow
		state     *string
		questions []codec.Question
		want      codec.Claims
	}{
		{&state, nil, codec.Claims{Rounds: 0, Questions: -1, HasState: true}},
		{&state, ask, codec.Claims{Rounds: 1, Questions: 1, HasState: true}},
		{nil, ask, codec.Claims{Rounds: 2, Questions: 1}},
		{new(string), nil, codec.Claims{Rounds: 2, Questions: -1, HasState: true}},
	}
	for i, tt := range tests {
		_, x, err := g.Open(binding, token, nil)
		if err != nil {
			t.Fatal(err)
		}
		if token, err = g.Seal(x, tt.state, tt.questions); err != nil {
			t.Fatal(err)
		}
		suite, id, err := codec.Head(*token)
		if err != nil || suite != codec.SuiteXChaCha || id != key.ID() {
			t.Errorf("round %d: head: got %x, %x, %v", i, suite, id, err)
		}
		plaintext, err := c.Open(*token, []byte(codec.ContextGuard))
		if err != nil {
			t.Fatal(err)
		}
		got, err := codec.Inspect(plaintext)
		if err != nil {
			t.Fatal(err)
		}
		want := tt.want
		want.Minted, want.Expires, want.FlowStart = now, now.Add(2*time.Minute), start // a ttl is in whole minutes
		switch {
		case got.Rounds != want.Rounds, got.Questions != want.Questions, got.HasState != want.HasState,
			got.Minted != want.Minted, got.Expires != want.Expires, got.FlowStart != want.FlowStart:
			t.Errorf("round %d: got %+v, want %+v", i, got, want)
		case want.HasState && (got.State == nil || string(got.State) != *tt.state), !want.HasState && got.State != nil:
			t.Errorf("round %d: got state %q", i, got.State)
		}
		now = now.Add(time.Minute)
	}
	if _, err := codec.Inspect([]byte("hello")); !errors.Is(err, refusal.Malformed) {
		t.Errorf("what no Guard sealed: got %v, want %v", err, refusal.Malformed)
	}
	for _, token := range []string{"", "Ecty", "Ecty i7rH", "A"} {
		if _, _, err := codec.Head(token); !errors.Is(err, refusal.Malformed) {
			t.Errorf("head of %q: got %v, want %v", token, err, refusal.Malformed)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
