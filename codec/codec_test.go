package codec_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/codectest"
	"github.com/parley-mcp/parley/codec/refusal"
)

// ring makes a ring of one key whose secret is this byte, 32 times.
func ring(t testing.TB, secret byte) *codec.KeyRing {
	t.Helper()
	key, err := codec.NewKey(codec.SuiteXChaCha, []byte(strings.Repeat(string(rune(secret)), 32)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := codec.NewKeyRing(key)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newAEAD(t testing.TB, secret byte) *codec.AEAD {
	t.Helper()
	c, err := codec.NewAEAD(ring(t, secret), codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newGuard(t testing.TB, o codec.GuardOptions) *codec.Guard {
	t.Helper()
	if o.Codec == nil {
		o.Codec = newAEAD(t, 1)
	}
	o.Audience, o.Env = "test", codec.Env{Rand: rand.Reader, Now: time.Now}
	g, err := codec.NewGuard(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestAEADIsACodec(t *testing.T) {
	codectest.Run(t, newAEAD(t, 1), newAEAD(t, 2), codec.DefaultMaxToken)
}

// What a codec from outside is held to must itself hold: one that only signs,
// one that ignores its context and one that returns what it could not verify
// are found out.
func TestRunFindsDefects(t *testing.T) {
	good := newAEAD(t, 1)
	defects := map[string]codec.Codec{
		"readable":        defect{good, func(p, _ []byte) (string, error) { return "x" + string(p), nil }, func(s string, _ []byte) ([]byte, error) { return []byte(strings.TrimPrefix(s, "x")), nil }},
		"only signs":      signer{"."},
		"only signs, one": signer{""},
		"ignores context": defect{good, func(p, _ []byte) (string, error) { return good.Seal(p, nil) }, func(s string, _ []byte) ([]byte, error) { return good.Open(s, nil) }},
		"two spellings":   defect{good, good.Seal, func(s string, c []byte) ([]byte, error) { return good.Open(strings.TrimSpace(s), c) }},
		"leaks on error": defect{good, good.Seal, func(s string, c []byte) ([]byte, error) {
			p, err := good.Open(s, c)
			if err != nil {
				return []byte("unverified"), err
			}
			return p, nil
		}},
	}
	for name, c := range defects {
		found := codectest.Defects(c, newAEAD(t, 2), codec.DefaultMaxToken)
		if len(found) == 0 {
			t.Errorf("%s: nothing was found", name)
		}
		if _, ok := c.(signer); ok && slices.ContainsFunc(found, func(s string) bool { return !strings.HasPrefix(s, "confidential: ") }) {
			t.Errorf("%s: found more than that it can be read: %q", name, found)
		}
	}
}

// A codec whose tokens have no lower case is held to nothing that is no change.
func TestRunTakesUpperCase(t *testing.T) {
	inner, other := newAEAD(t, 1), newAEAD(t, 2)
	upper := func(c codec.Codec) codec.Codec {
		return defect{c, func(p, ad []byte) (string, error) {
			if hex.EncodedLen(len(p)+100) > codec.DefaultMaxToken {
				return "", &codec.Error{Code: refusal.TooLarge}
			}
			token, err := c.Seal(p, ad)
			return strings.ToUpper(hex.EncodeToString([]byte(token))), err
		}, func(token string, ad []byte) ([]byte, error) {
			if len(token) > codec.DefaultMaxToken {
				return nil, &codec.Error{Code: refusal.TooLarge}
			}
			plain, err := hex.DecodeString(token)
			if err != nil || strings.ToUpper(token) != token {
				return nil, &codec.Error{Code: refusal.Malformed}
			}
			return c.Open(string(plain), ad)
		}}
	}
	for _, found := range codectest.Defects(upper(inner), upper(other), codec.DefaultMaxToken) {
		t.Error(found)
	}
}

// What ends a check early is a line of what was found, and the other checks go on.
func TestDefectsOfCodecsThatFail(t *testing.T) {
	good := newAEAD(t, 1)
	raw := base64.RawURLEncoding
	for want, c := range map[string]codec.Codec{
		"round trip: Seal of 0 bytes: no key service":                           defect{good, func(_, _ []byte) (string, error) { return "", errors.New("no key service") }, good.Open},
		"round trip: Seal of 0 bytes: a token is text, in UTF-8, and not empty": defect{good, func(_, _ []byte) (string, error) { return "", nil }, good.Open},
		"confidential: Seal of 31 bytes: a token is text, in UTF-8, and not empty": defect{good, func(p, c []byte) (string, error) {
			s, err := good.Seal(p, c)
			b, _ := raw.DecodeString(s)
			return string(b), err
		}, func(s string, c []byte) ([]byte, error) { return good.Open(raw.EncodeToString([]byte(s)), c) }},
		"truncation: the codec panics: runtime error: slice bounds out of range [:12] with length 0": defect{good, good.Seal, func(s string, c []byte) ([]byte, error) { _ = s[:12]; return good.Open(s, c) }},
	} {
		found := codectest.Defects(c, newAEAD(t, 2), codec.DefaultMaxToken)
		if !slices.Contains(found, want) {
			t.Errorf("want %q, found %q", want, found)
		}
	}
}

// signer makes tokens that anybody can read: the plaintext in base64 and a MAC.
type signer struct{ between string }

func (s signer) mac(plaintext, context string) string {
	h := hmac.New(sha256.New, []byte("key"))
	io.WriteString(h, strconv.Itoa(len(context))+context+plaintext)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

func (s signer) Seal(plaintext, context []byte) (string, error) {
	token := "v1" + s.between + base64.RawURLEncoding.EncodeToString(plaintext) + s.between + s.mac(string(plaintext), string(context))
	if len(token) > codec.DefaultMaxToken {
		return "", &codec.Error{Code: refusal.TooLarge}
	}
	return token, nil
}

func (s signer) Open(token string, context []byte) ([]byte, error) {
	if len(token) > codec.DefaultMaxToken {
		return nil, &codec.Error{Code: refusal.TooLarge}
	}
	body, ok := strings.CutPrefix(token, "v1"+s.between)
	if at := len(body) - 43 - len(s.between); ok && at >= 0 && body[at:at+len(s.between)] == s.between {
		if plaintext, err := base64.RawURLEncoding.Strict().DecodeString(body[:at]); err == nil && !strings.ContainsAny(body, "\r\n") && body[at+len(s.between):] == s.mac(string(plaintext), string(context)) {
			return append([]byte{}, plaintext...), nil
		}
	}
	return nil, &codec.Error{Code: refusal.Forged}
}

type defect struct {
	codec.Codec
	seal func(plaintext, context []byte) (string, error)
	open func(token string, context []byte) ([]byte, error)
}

func (d defect) Seal(plaintext, context []byte) (string, error) { return d.seal(plaintext, context) }
func (d defect) Open(token string, context []byte) ([]byte, error) {
	return d.open(token, context)
}

// A Codec of one's own may fail with any error: the client hears the same.
func TestForeignErrors(t *testing.T) {
	good := newAEAD(t, 1)
	var failure error
	g := newGuard(t, codec.GuardOptions{Codec: defect{good,
		func([]byte, []byte) (string, error) { return "", failure },
		func(string, []byte) ([]byte, error) { return nil, failure },
	}})
	token, state := "token", "state"
	binding := codec.Binding{Method: "tools/call", Target: "t"}
	for _, failure = range []error{errors.New("the key service is away"), io.EOF, &codec.Error{Code: refusal.Rand, Minting: true}, &codec.Error{Code: refusal.Forged}} {
		_, _, err := g.Open(binding, &token, nil)
		wantResponse(t, err, `{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}`)
		_, x, _ := g.Open(binding, nil, nil)
		_, err = g.Seal(x, &state, nil)
		wantResponse(t, err, `{"code":-32603,"message":"Internal error"}`)
	}
}

func wantResponse(t *testing.T, err error, want string) {
	t.Helper()
	e, ok := err.(*codec.Error)
	if !ok {
		t.Fatalf("got %T, want a *codec.Error", err)
	}
	if got := string(e.AppendResponse(nil)); got != want {
		t.Errorf("%v: the client gets %s, want %s", err, got, want)
	}
}

func TestKeys(t *testing.T) {
	secret := make([]byte, 32)
	for _, suite := range []byte{0, 0x10, 0x12, 0x20, 0xff} {
		if _, err := codec.NewKey(suite, secret); !errors.Is(err, refusal.Key) {
			t.Errorf("suite %#x: got %v, want %v", suite, err, refusal.Key)
		}
	}
	for _, n := range []int{0, 16, 31, 65, 128} {
		if _, err := codec.NewKey(codec.SuiteXChaCha, make([]byte, n)); !errors.Is(err, refusal.Key) {
			t.Errorf("secret of %d bytes: got %v, want %v", n, err, refusal.Key)
		}
	}
	a, _ := codec.NewKey(codec.SuiteXChaCha, secret)
	b, _ := codec.NewKey(codec.SuiteAgeCompact, secret)
	if a.ID() == b.ID() {
		t.Error("one secret gives keys of two suites the same id")
	}
	if _, err := codec.NewKeyRing(a, a); !errors.Is(err, refusal.Key) {
		t.Errorf("a key twice: got %v, want %v", err, refusal.Key)
	}
	if _, err := codec.NewKeyRing(nil); !errors.Is(err, refusal.Key) {
		t.Errorf("no key: got %v, want %v", err, refusal.Key)
	}
	mixed, err := codec.NewKeyRing(b, a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := codec.NewAEAD(mixed, codec.CodecOptions{}); !errors.Is(err, refusal.Key) {
		t.Errorf("an age key to mint with: got %v, want %v", err, refusal.Key)
	}
	if _, err := codec.NewBox(mixed); !errors.Is(err, refusal.Key) {
		t.Errorf("an age key for a box: got %v, want %v", err, refusal.Key)
	}
}

// No error may hold a secret, a token, a state or a principal.
func TestErrorsSayNothing(t *testing.T) {
	const secret = "S3cr3t"
	g := newGuard(t, codec.GuardOptions{})
	texts := []string{}
	note := func(err error) {
		if err == nil {
			t.Error("no error")
			return
		}
		texts = append(texts, err.Error())
	}
	_, err := codec.ParseKeyRing([]byte("parley-key/1 11 " + secret))
	note(err)
	principal := secret
	for _, params := range []string{
		`{"name":"` + secret + `","requestState":"` + secret + `"}`,
		`{"name":"x","requestState":"` + strings.Repeat(secret, 20) + `"}`,
		`{"` + secret + `":1,"` + secret + `":2}`,
		`{"name":"x","requestState":{"` + secret + `":1}}`,
		`{"name":"x","inputResponses":{"` + secret + `":1,"` + secret + `":2}}`,
	} {
		_, _, err := g.Inbound("tools/call", []byte(params), &principal)
		note(err)
	}
	_, x, _ := g.Inbound("tools/call", []byte(`{"name":"x"}`), &principal)
	for _, result := range []string{
		`{"resultType":"input_required","requestState":"` + secret + `\ud800"}`,
		`{"resultType":"input_required","inputRequests":{"` + secret + `":1}}`,
	} {
		_, err := g.Outbound(x, []byte(result))
		note(err)
	}
	for _, text := range texts {
		if strings.Contains(text, secret) {
			t.Errorf("an error says %q", text)
		}
	}
}

func TestClientLearnsOneThing(t *testing.T) {
	for code := refusal.Code(1); code <= refusal.Result; code++ {
		got := string((&codec.Error{Code: code, Detail: "detail"}).AppendResponse(nil))
		if want := `{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}`; got != want {
			t.Errorf("%v: got %s, want %s", code, got, want)
		}
		got = string((&codec.Error{Code: code, Minting: true}).AppendResponse(nil))
		if want := `{"code":-32603,"message":"Internal error"}`; got != want {
			t.Errorf("%v while minting: got %s, want %s", code, got, want)
		}
	}
}

// An exchange goes through bytes and comes back the same.
func TestExchangeTravels(t *testing.T) {
	g := newGuard(t, codec.GuardOptions{})
	principal := ""
	params := []byte(`{"name":"t","arguments":{"a":1},"inputResponses":{"q":{"action":"accept"}}}`)
	_, x, err := g.Inbound("tools/call", params, &principal)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 3 {
		text, _ := x.AppendBinary(nil)
		var moved codec.Exchange
		if err := moved.UnmarshalBinary(text); err != nil {
			t.Fatal(err)
		}
		if again, _ := moved.AppendBinary(nil); string(again) != string(text) {
			t.Errorf("round %d: got %x, want %x", round, again, text)
		}
		for n := range text {
			if err := new(codec.Exchange).UnmarshalBinary(text[:n]); err == nil {
				t.Errorf("round %d: %d of %d bytes were read", round, n, len(text))
			}
		}
		state := "state"
		token, err := g.Seal(&moved, &state, []codec.Question{{Key: "q", Method: "roots/list"}})
		if err != nil {
			t.Fatal(err)
		}
		binding := codec.Binding{Method: "tools/call", Target: "t", Arguments: []byte(`{"a":1}`), Principal: &principal}
		got, next, err := g.Open(binding, token, []string{"q"})
		if err != nil || *got != state {
			t.Fatalf("round %d: %v", round, err)
		}
		if v := next.Verdict("q", "roots/list", nil); v != codec.Same {
			t.Errorf("round %d: verdict %v, want %v", round, v, codec.Same)
		}
		x = next
	}
}

// What a leg costs is known.
func TestAllocations(t *testing.T) {
	c := newAEAD(t, 1)
	plaintext, context := make([]byte, 200), []byte(codec.ContextGuard)
	token, _ := c.Seal(plaintext, context)
	g := newGuard(t, codec.GuardOptions{})
	binding := codec.Binding{Method: "tools/call", Target: "t", Arguments: []byte(`{"a":1,"b":[true]}`)}
	state := strings.Repeat("s", 200)
	_, first, _ := g.Open(binding, nil, nil)
	sealed, err := g.Seal(first, &state, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		most float64
		run  func()
	}{
		"codec seal": {9, func() { c.Seal(plaintext, context) }},
		"codec open": {8, func() { c.Open(token, context) }},
		"guard seal": {22, func() { _, x, _ := g.Open(binding, nil, nil); g.Seal(x, &state, nil) }},
		"guard open": {20, func() { g.Open(binding, sealed, nil) }},
	} {
		if got := testing.AllocsPerRun(100, tt.run); got > tt.most {
			t.Errorf("%s: got %v allocations, want at most %v", name, got, tt.most)
		}
	}
}
