package main

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"time"

	"aidanwoods.dev/go-paseto"
	stockage "filippo.io/age"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/seal/sandbox"
)

// What is sealed: the state of a handler, 200 bytes, and for a Guard the request
// it belongs to.
var (
	benchState  = strings.Repeat("step 3; ", 25)
	benchParams = []byte(`{"name":"get_weather","arguments":{"location":"New York","days":3}}`)
	benchResult = []byte(`{"resultType":"input_required","requestState":"` + benchState + `"}`)
)

// codec measures what a server does with the state it hands out, and the way back.
// guard is a whole round on its side: the request without a state comes in, the
// result with one goes out, both as JSON text, and then the request with the
// state. The peers seal the same 200 bytes: xchacha is the bare cipher with a
// random nonce and base64, stockage what filippo.io/age makes and opens with the
// same keys as age, and base64, paseto a v4.local token that expires. None of them
// is bound to a request.
func (t *turnTaker) codec() (err error) {
	rt, err := sandbox.NewRuntime(sandbox.RuntimeOptions{Instances: 1})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rt.Close()) }()
	var seal, open []client
	for _, p := range codecPairs(rt) {
		seal = append(seal, once(p.name, p.of, p.seal))
		open = append(open, once(p.name, p.of, p.open))
	}
	return errors.Join(t.take("seal a state of 200 bytes", seal), t.take("open it", open))
}

// codecPair seals, and opens what it sealed.
type codecPair struct {
	name, of   string
	seal, open func() error
}

func codecPairs(rt *sandbox.Runtime) []codecPair {
	keys := must(seal.GenerateKey(codec.SuiteXChaCha))
	ring := must(codec.ParseKeyRing(keys))
	native := must(codec.NewAEAD(ring, codec.CodecOptions{}))
	wasm := must(rt.NewCodec(keys, codec.CodecOptions{}, codec.Env{}))
	options := codec.GuardOptions{Audience: "bench"}
	wasmGuard := must(rt.NewGuard(keys, codec.CodecOptions{}, options))
	options.Codec, options.Env = native, codec.Env{Rand: rand.Reader, Now: time.Now}
	nativeGuard := must(codec.NewGuard(options))
	bare := must(chacha20poly1305.NewX(make([]byte, chacha20poly1305.KeySize)))
	ageKeys := must(seal.GenerateKey(codec.SuiteAgeCompact))
	ageRing := must(codec.ParseKeyRing(ageKeys))
	ageCodec := must(agecodec.New(ageRing, rand.Reader, codec.CodecOptions{}))
	wasmAge := must(rt.NewCodec(ageKeys, codec.CodecOptions{}, codec.Env{}))
	return []codecPair{
		tokens("codec native", "xchacha", native), tokens("codec wazero", "xchacha", wasm), cipherTokens("xchacha", bare),
		guarded("guard native", "paseto", nativeGuard), guarded("guard wazero", "paseto", wasmGuard), pasetoTokens("paseto"),
		tokens("age native", "stockage", ageCodec), tokens("age wazero", "stockage", wasmAge), ageTokens("stockage", ageRing),
	}
}

func tokens(name, of string, c codec.Codec) codecPair {
	state, context := []byte(benchState), []byte(codec.ContextGuard)
	token := must(c.Seal(state, context))
	return codecPair{
		name, of,
		func() error { _, err := c.Seal(state, context); return err },
		func() error { _, err := c.Open(token, context); return err },
	}
}

// guard is a [codec.Guard], in a sandbox or not.
type guard interface {
	Inbound(method string, params []byte, principal *string) (opened []byte, x *codec.Exchange, err error)
	Outbound(x *codec.Exchange, result []byte) (sealed []byte, err error)
}

func guarded(name, of string, g guard) codecPair {
	seal := func() ([]byte, error) {
		_, x, err := g.Inbound("tools/call", benchParams, nil)
		if err != nil {
			return nil, err
		}
		return g.Outbound(x, benchResult)
	}
	result := must(seal())
	_, state, _ := strings.Cut(string(result), `"requestState":`)
	params := []byte(strings.TrimSuffix(string(benchParams), "}") + `,"requestState":` + state)
	return codecPair{
		name, of,
		func() error { _, err := seal(); return err },
		func() error { _, _, err := g.Inbound("tools/call", params, nil); return err },
	}
}

func cipherTokens(name string, c cipher.AEAD) codecPair {
	state, context := []byte(benchState), []byte(codec.ContextGuard)
	seal := func() (string, error) {
		raw := make([]byte, c.NonceSize(), c.NonceSize()+len(state)+c.Overhead())
		if _, err := io.ReadFull(rand.Reader, raw); err != nil {
			return "", err
		}
		return base64.RawURLEncoding.EncodeToString(c.Seal(raw, raw, state, context)), nil
	}
	token := must(seal())
	return codecPair{
		name, "",
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

func ageTokens(name string, ring *codec.KeyRing) codecPair {
	under := []byte(codec.ContextGuard)
	recipient := must(agecodec.NewRecipient(ring.Active(), under, rand.Reader))
	identity := must(agecodec.NewIdentity(ring, under))
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
	token := must(seal())
	return codecPair{
		name, "",
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

func pasetoTokens(name string) codecPair {
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
	return codecPair{
		name, "",
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

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
