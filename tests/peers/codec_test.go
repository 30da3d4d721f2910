package peers_test

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"aidanwoods.dev/go-paseto"
	stockage "filippo.io/age"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/seal/sandbox"
	"github.com/parley-mcp/parley/internal/hosttest"
)

// What is sealed: the state of a handler, 200 bytes, and for a Guard the request
// it belongs to.
var (
	benchState  = strings.Repeat("step 3; ", 25)
	benchParams = []byte(`{"name":"get_weather","arguments":{"location":"New York","days":3}}`)
	benchResult = []byte(`{"resultType":"input_required","requestState":"` + benchState + `"}`)
)

// BenchmarkSeal times what a server does with the state it hands out. guard is a
// whole round on its side: the request without a state comes in, the result with
// one goes out, both as JSON text. The peers seal the same 200 bytes: xchacha is
// the bare cipher with a random nonce and base64, stockage what filippo.io/age
// makes and opens with the same keys as age, and base64, paseto a v4.local token
// that expires. None of them is bound to a request.
func BenchmarkSeal(b *testing.B) {
	var rows []row
	for _, p := range benchPairs(b) {
		rows = append(rows, row{p.name, func(b *testing.B) { repeat(b, p.seal) }})
	}
	takeTurns(b, rows)
}

// BenchmarkOpen times the way back: for guard, the request with the state.
func BenchmarkOpen(b *testing.B) {
	var rows []row
	for _, p := range benchPairs(b) {
		rows = append(rows, row{p.name, func(b *testing.B) { repeat(b, p.open) }})
	}
	takeTurns(b, rows)
}

type benchPair struct {
	name       string
	seal, open func() error
}

func repeat(b *testing.B, do func() error) {
	b.ReportAllocs()
	for b.Loop() {
		if err := do(); err != nil {
			b.Fatal(err)
		}
	}
}

func benchPairs(b *testing.B) []benchPair {
	keys := newKeys(b, codec.SuiteXChaCha)
	ring, err := codec.ParseKeyRing(keys)
	check(b, err)
	native, err := codec.NewAEAD(ring, codec.CodecOptions{})
	check(b, err)
	rt, err := sandbox.NewRuntime(sandbox.RuntimeOptions{Instances: 1, CacheDir: hosttest.Compiled})
	check(b, err)
	b.Cleanup(func() { check(b, rt.Close()) })
	wasm, err := rt.NewCodec(keys, codec.CodecOptions{}, codec.Env{})
	check(b, err)
	options := codec.GuardOptions{Audience: "bench"}
	wasmGuard, err := rt.NewGuard(keys, codec.CodecOptions{}, options)
	check(b, err)
	options.Codec, options.Env = native, codec.Env{Rand: rand.Reader, Now: time.Now}
	nativeGuard, err := codec.NewGuard(options)
	check(b, err)
	bare, err := chacha20poly1305.NewX(make([]byte, chacha20poly1305.KeySize))
	check(b, err)
	ageKeys := newKeys(b, codec.SuiteAgeCompact)
	ageRing, err := codec.ParseKeyRing(ageKeys)
	check(b, err)
	ageCodec, err := agecodec.New(ageRing, rand.Reader, codec.CodecOptions{})
	check(b, err)
	wasmAge, err := rt.NewCodec(ageKeys, codec.CodecOptions{}, codec.Env{})
	check(b, err)
	return []benchPair{
		codecPair(b, "codec/native", native), codecPair(b, "codec/wazero", wasm), cipherPair(b, "xchacha/native", bare),
		guardPair(b, "guard/native", nativeGuard), guardPair(b, "guard/wazero", wasmGuard), pasetoPair(b, "paseto/native"),
		codecPair(b, "age/native", ageCodec), codecPair(b, "age/wazero", wasmAge), agePair(b, "stockage/native", ageRing),
	}
}

func codecPair(b *testing.B, name string, c codec.Codec) benchPair {
	state, context := []byte(benchState), []byte(codec.ContextGuard)
	token, err := c.Seal(state, context)
	check(b, err)
	return benchPair{
		name,
		func() error { _, err := c.Seal(state, context); return err },
		func() error { _, err := c.Open(token, context); return err },
	}
}

// guard is a [codec.Guard], in a sandbox or not.
type guard interface {
	Inbound(method string, params []byte, principal *string) (opened []byte, x *codec.Exchange, err error)
	Outbound(x *codec.Exchange, result []byte) (sealed []byte, err error)
}

func guardPair(b *testing.B, name string, g guard) benchPair {
	seal := func() ([]byte, error) {
		_, x, err := g.Inbound("tools/call", benchParams, nil)
		if err != nil {
			return nil, err
		}
		return g.Outbound(x, benchResult)
	}
	result, err := seal()
	check(b, err)
	_, state, _ := strings.Cut(string(result), `"requestState":`)
	params := []byte(strings.TrimSuffix(string(benchParams), "}") + `,"requestState":` + state)
	return benchPair{
		name,
		func() error { _, err := seal(); return err },
		func() error { _, _, err := g.Inbound("tools/call", params, nil); return err },
	}
}

func cipherPair(b *testing.B, name string, c cipher.AEAD) benchPair {
	state, context := []byte(benchState), []byte(codec.ContextGuard)
	seal := func() (string, error) {
		raw := make([]byte, c.NonceSize(), c.NonceSize()+len(state)+c.Overhead())
		if _, err := io.ReadFull(rand.Reader, raw); err != nil {
			return "", err
		}
		return base64.RawURLEncoding.EncodeToString(c.Seal(raw, raw, state, context)), nil
	}
	token, err := seal()
	check(b, err)
	return benchPair{
		name,
		func() error { _, err := seal(); return err },
		func() error {
			raw, err := base64.RawURLEncoding.DecodeString(token)
			if err != nil {
				return err
			}
			_, err = c.Open(nil, raw[:c.NonceSize()], raw[c.NonceSize():], context)
			return err
		},
	}
}

func agePair(b *testing.B, name string, ring *codec.KeyRing) benchPair {
	under := []byte(codec.ContextGuard)
	recipient, err := agecodec.NewRecipient(ring.Active(), under, rand.Reader)
	check(b, err)
	identity, err := agecodec.NewIdentity(ring, under)
	check(b, err)
	seal := func() (string, error) {
		var file bytes.Buffer
		w, err := stockage.Encrypt(&file, recipient)
		if err != nil {
			return "", err
		}
		_, err = io.WriteString(w, benchState)
		err = errors.Join(err, w.Close())
		return base64.RawURLEncoding.EncodeToString(file.Bytes()), err
	}
	token, err := seal()
	check(b, err)
	return benchPair{
		name,
		func() error { _, err := seal(); return err },
		func() error {
			file, err := base64.RawURLEncoding.DecodeString(token)
			if err != nil {
				return err
			}
			r, err := stockage.Decrypt(bytes.NewReader(file), identity)
			if err == nil {
				_, err = io.ReadAll(r)
			}
			return err
		},
	}
}

func pasetoPair(b *testing.B, name string) benchPair {
	key, implicit := paseto.NewV4SymmetricKey(), []byte(codec.ContextGuard)
	seal := func() string {
		now := time.Now()
		token := paseto.NewToken()
		token.SetIssuedAt(now)
		token.SetExpiration(now.Add(time.Hour))
		token.SetString("state", benchState)
		return token.V4Encrypt(key, implicit)
	}
	token := seal()
	return benchPair{
		name,
		func() error { seal(); return nil },
		func() error {
			parser := paseto.NewParser() // which checks the expiry
			opened, err := parser.ParseV4Local(key, token, implicit)
			if err == nil {
				_, err = opened.GetString("state")
			}
			return err
		},
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newKeys(t testing.TB, suite byte) []byte {
	t.Helper()
	keys, err := seal.GenerateKey(suite)
	check(t, err)
	return keys
}
