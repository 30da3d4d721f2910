package codec_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// What a Guard cannot do without is refused when it is made, not when a round
// comes.
func TestGuardNeeds(t *testing.T) {
	tests := map[string]struct {
		spoil func(o *codec.GuardOptions)
		want  error
	}{
		"nothing": {func(*codec.GuardOptions) {}, nil},
		"codec":   {func(o *codec.GuardOptions) { o.Codec = nil }, refusal.Options},
		"rand":    {func(o *codec.GuardOptions) { o.Env.Rand = nil }, refusal.Options},
		"now":     {func(o *codec.GuardOptions) { o.Env.Now = nil }, refusal.Options},
	}
	for name, tt := range tests {
		o := codec.GuardOptions{Codec: newAEAD(t, 1), Env: codec.Env{Rand: rand.Reader, Now: time.Now}, Audience: "a"}
		tt.spoil(&o)
		if _, err := codec.NewGuard(o); !errors.Is(err, tt.want) {
			t.Errorf("without %s: got %v, want %v", name, err, tt.want)
		}
	}
}

// A method that has no rounds has no state to seal.
func TestSealWithoutRounds(t *testing.T) {
	guard, err := codec.NewGuard(codec.GuardOptions{Codec: newAEAD(t, 1), Env: codec.Env{Rand: rand.Reader, Now: time.Now}, Audience: "a"})
	if err != nil {
		t.Fatal(err)
	}
	state := "s"
	for method, want := range map[string]error{"tools/call": nil, "tools/list": refusal.Result} {
		if _, err := guard.Seal(&codec.Exchange{Binding: codec.Binding{Method: method}}, &state, nil); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", method, err, want)
		}
	}
}

// A key file's line holds the secret, and nothing else makes the key again.
func TestAppendKey(t *testing.T) {
	secret := bytes.Repeat([]byte{7}, 32)
	line := codec.AppendKey([]byte("# kept\n"), codec.SuiteXChaCha, secret)
	if want := "# kept\nparley-key/1 11 BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc\n"; string(line) != want {
		t.Errorf("got %q, want %q", line, want)
	}
}
