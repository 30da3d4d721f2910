package codec_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/internal/canon"
)

const knownToken = "Ectyi7rHqYNXYdM_VpwwGsI4GKYbcxT_xXTBvr5_qm3yMeS42TOHB_QaA78_3jspF04"

// known is a codec with the key of the known-answer test.
func known(t testing.TB) *codec.AEAD {
	t.Helper()
	r, err := codec.ParseKeyRing([]byte("parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := codec.NewAEAD(r, codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// FuzzOpen: only what Seal makes opens.
func FuzzOpen(f *testing.F) {
	f.Add(knownToken, []byte(codec.ContextGuard))
	f.Add("", []byte(nil))
	f.Add("Ectyi7phIG5vbmNlIHRoYXQgaXMgbm90IG9uZSENAgv6DNARPotYkIwxoP9uDDPY2Z0", []byte(codec.ContextGuard))
	c := known(f)
	f.Fuzz(func(t *testing.T, token string, context []byte) {
		plaintext, err := c.Open(token, context)
		if err != nil {
			if plaintext != nil {
				t.Fatalf("refused, but gave %x", plaintext)
			}
			return
		}
		if again, err := c.Seal(plaintext, context); err != nil || again != token {
			t.Fatalf("opened %q, which Seal would not make: %q, %v", token, again, err)
		}
	})
}

// FuzzMutate: a token that was changed in any way does not open.
func FuzzMutate(f *testing.F) {
	f.Add([]byte("hello"), 3, byte(1), 0)
	f.Add([]byte{}, 0, byte(0), 5)
	c := known(f)
	f.Fuzz(func(t *testing.T, plaintext []byte, at int, flip byte, cut int) {
		token, err := c.Seal(plaintext, nil)
		if err != nil {
			return
		}
		changed := []byte(token)
		changed[uint(at)%uint(len(changed))] ^= flip
		changed = changed[:uint(len(changed))-uint(cut)%uint(len(changed))]
		if string(changed) == token {
			return
		}
		if _, err := c.Open(string(changed), nil); err == nil {
			t.Fatalf("%q opened, changed from %q", changed, token)
		}
	})
}

// FuzzRoundTrip: what is sealed opens to the same bytes, under its context and
// its keys only, as a token and as a box.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("hello"), []byte("a"), []byte("b"), byte(1))
	f.Add([]byte{}, []byte{}, []byte{0}, byte(0))
	f.Add([]byte("c"), []byte("ab"), []byte("a"), byte(2))
	c := known(f)
	r := ring(f, 3)
	box, err := codec.NewBox(r)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, plaintext, context, other []byte, secret byte) {
		token, err := c.Seal(plaintext, context)
		if err != nil {
			return
		}
		if got, err := c.Open(token, context); err != nil || !bytes.Equal(got, plaintext) {
			t.Fatalf("got %x, %v, want %x", got, err, plaintext)
		}
		if !bytes.Equal(context, other) {
			if _, err := c.Open(token, other); err == nil {
				t.Fatalf("opened under %x, sealed under %x", other, context)
			}
		}
		if _, err := newAEAD(t, secret%128).Open(token, context); err == nil {
			t.Fatal("opened with another key")
		}
		sealed, err := box.SealBytes(plaintext, context)
		if err != nil || len(sealed) != len(plaintext)+45 {
			t.Fatalf("a box of %d bytes for %d: %v", len(sealed), len(plaintext), err)
		}
		if got, err := box.OpenBytes(sealed, context); err != nil || !bytes.Equal(got, plaintext) {
			t.Fatalf("box: got %x, %v, want %x", got, err, plaintext)
		}
	})
}

// FuzzCanonical: the canonical form is JSON of the same value, its own canonical
// form, and the same however members are ordered. The oracle is encoding/json
// with exact numbers.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{
		`{"b":[1,{},[]],"a":null}`, `[0,-0,1.50,1E+2,1e-9999,10e9998]`, `{"\ufb33":1,"😀":2,"€":3}`, `"\u0041\/\u2028\ud83d\ude00"`,
		`{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"", strings.Repeat("[", 65) + strings.Repeat("]", 65), `0e10000`, ` 1 `, `{"a":{"c":1,"b":{"e":1,"d":[{"g":1,"f":2}]}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := canon.Append([]byte("kept "), text)
		if !bytes.HasPrefix(got, []byte("kept ")) {
			t.Fatalf("what was there is gone: %q", got)
		}
		got = got[len("kept "):]
		if !ok {
			if len(got) > 0 {
				t.Fatalf("none, but %q", got)
			}
			return
		}
		if !json.Valid(text) || !utf8.Valid(text) {
			t.Fatalf("%q is no JSON text", text)
		}
		if again, ok := canon.Append(nil, got); !ok || !bytes.Equal(again, got) {
			t.Fatalf("%q has the canonical form %q, and that has %q", text, got, again)
		}
		want, same := decode(t, text), decode(t, got)
		if !equal(want, same) {
			t.Fatalf("%q became %q", text, got)
		}
		// encoding/json writes members sorted by bytes: another order and spelling.
		other, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if reordered, ok := canon.Append(nil, other); !ok || !bytes.Equal(reordered, got) {
			t.Fatalf("%q gives %q, %q gives %q", text, got, other, reordered)
		}
	})
}

func decode(t *testing.T, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// equal compares decoded JSON, numbers by their exact value.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k := range a {
			if v, ok := b[k]; !ok || !equal(a[k], v) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, y := new(big.Rat), new(big.Rat)
		if _, ok := x.SetString(string(a)); !ok {
			return false
		}
		if _, ok := y.SetString(string(b)); !ok {
			return false
		}
		return x.Cmp(y) == 0
	}
	return a == b
}

// fixed is a Guard under a fixed clock whose randomness is all the same byte.
func fixed(t testing.TB, c codec.Codec) *codec.Guard {
	t.Helper()
	g, err := codec.NewGuard(codec.GuardOptions{
		Codec: c, Audience: "weather", MaxFlowAge: time.Hour,
		Env: codec.Env{Rand: constant(7), Now: func() time.Time { return time.Unix(1_800_000_000, 0) }},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

type constant byte

func (c constant) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(c)
	}
	return len(p), nil
}

// FuzzClaims: whatever is under a valid seal, nothing panics, and what is
// accepted is what a Guard of the same request mints.
func FuzzClaims(f *testing.F) {
	head := append([]byte{0x01, 0, 0x6b, 0x49, 0xd2, 0x00, 0, 10}, make([]byte, 30)...)
	f.Add(head, "q")
	f.Add(append(append([]byte{0x31}, head[1:]...), 0x6b, 0x49, 0xd2, 0x00, 1, 9, 9), "")
	f.Add([]byte{}, "")
	c := known(f)
	g := fixed(f, c)
	binding := codec.Binding{Method: "tools/call", Target: "get_weather"}
	state := "state"
	_, x, _ := g.Open(binding, nil, nil)
	if token, err := g.Seal(x, &state, []codec.Question{{Key: "q", Method: "roots/list"}}); err != nil {
		f.Fatal(err)
	} else if plaintext, err := c.Open(*token, []byte(codec.ContextGuard)); err != nil {
		f.Fatal(err)
	} else {
		f.Add(plaintext, "q")
	}
	f.Fuzz(func(t *testing.T, plaintext []byte, key string) {
		token, err := c.Seal(plaintext, []byte(codec.ContextGuard))
		if err != nil {
			return
		}
		state, x, err := g.Open(binding, &token, []string{key})
		if err != nil {
			if x != nil || state != nil {
				t.Fatal("refused, but gave something")
			}
			return
		}
		if !bytes.HasSuffix(plaintext, []byte(text(state))) {
			t.Fatalf("the state %q is no part of what was sealed", *state)
		}
		for _, a := range x.Answers {
			if a.Key != key || !a.Proven {
				t.Fatalf("an answer %+v to %q", a, key)
			}
		}
	})
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// FuzzInbound: params of any kind never panic; what comes out is JSON, and a
// request without a state and answers comes out as it went in.
func FuzzInbound(f *testing.F) {
	files, err := filepath.Glob("testdata/vectors/guard-*.txt")
	if err != nil || len(files) == 0 {
		f.Fatal("no vectors to start from")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var call struct{ Method, Params, Result string }
			if verb, arguments, ok := strings.Cut(line, " "); ok && (verb == "inbound" || verb == "outbound") && json.Unmarshal([]byte(arguments), &call) == nil {
				f.Add(call.Method, []byte(call.Params), []byte(call.Result))
			}
		}
	}
	g := fixed(f, known(f))
	f.Fuzz(func(t *testing.T, method string, params, result []byte) {
		opened, x, err := g.Inbound(method, params, nil)
		if err != nil {
			if opened != nil || x != nil {
				t.Fatal("refused, but gave something")
			}
			return
		}
		if x != nil && !json.Valid(opened) {
			t.Fatalf("%q became %q", params, opened)
		}
		if x == nil && !bytes.Equal(opened, params) {
			t.Fatalf("%q of %s was changed to %q", params, method, opened)
		}
		sealed, err := g.Outbound(x, result)
		if err != nil {
			return
		}
		if bytes.Equal(sealed, result) {
			return
		}
		var minted struct {
			RequestState string `json:"requestState"`
		}
		if err := json.Unmarshal(sealed, &minted); err != nil || minted.RequestState == "" {
			t.Fatalf("%q became %q: %v", result, sealed, err)
		}
		// It opens for the same request.
		if _, _, err := g.Open(x.Binding, &minted.RequestState, nil); err != nil {
			t.Fatalf("minted for %q, and refused: %v", params, err)
		}
	})
}

// FuzzKeyFile: a key file never panics, and a ring that was made works.
func FuzzKeyFile(f *testing.F) {
	f.Add([]byte("# c\n\nparley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"))
	f.Add([]byte("parley-key/1 21 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\nparley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := codec.ParseKeyRing(text)
		if err != nil {
			return
		}
		for _, k := range r.Keys() {
			if id := k.ID(); r.Find(id[:]) != k {
				t.Fatal("a key is not found by its id")
			}
		}
		c, err := codec.NewAEAD(r, codec.CodecOptions{})
		if err != nil {
			return
		}
		token, err := c.Seal([]byte("x"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Open(token, nil); err != nil {
			t.Fatal(err)
		}
	})
}
