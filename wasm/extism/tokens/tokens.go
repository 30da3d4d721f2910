// Package tokens seals and opens requestState by one text in and one text out,
// for a host that can call functions and nothing else. Every call brings what
// it needs and nothing is kept. wasm/EXTISM.md describes the texts.
package tokens

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/rawjson"
)

// Config looks up what the host configured once, such as the keys.
type Config func(name string) (value string, ok bool)

// saltSize is how many random bytes a minted state takes.
const saltSize = 8

// Seal answers {"token":"…"}.
func Seal(data []byte, config Config) []byte {
	r := read("seal", data, config, "keys", "maxToken", "context", "plaintext", "bytes")
	c := r.codec()
	plaintext, isText := r.optional("plaintext")
	if !isText {
		plaintext = r.binary("bytes", "what to seal is missing: give it as plaintext, or as bytes in base64url", 0)
	} else if r.has("bytes") {
		r.refuse("both plaintext and bytes are given")
	}
	context := r.text("context", "context is missing: give what the token is for, such as "+codec.ContextSDK)
	if r.fault != "" {
		return r.failed()
	}
	token, err := c.Seal(plaintext, context)
	clear(plaintext)
	if err != nil {
		return failure(err)
	}
	return append(appendText([]byte("{"), "token", []byte(token)), '}')
}

// Open answers {"plaintext":"…"}, or {"bytes":"…"} where it is not UTF-8.
func Open(data []byte, config Config) []byte {
	r := read("open", data, config, "keys", "maxToken", "context", "token")
	c := r.codec()
	context := r.text("context", "context is missing: give the one it was sealed with")
	token := r.text("token", "token is missing: give the requestState")
	if r.fault != "" {
		return r.failed()
	}
	plaintext, err := c.Open(string(token), context)
	if err != nil {
		return failure(err)
	}
	defer clear(plaintext)
	if !rawjson.ValidUTF8(plaintext) {
		return append(appendBytes([]byte("{"), "bytes", plaintext), '}')
	}
	return append(appendText([]byte("{"), "plaintext", plaintext), '}')
}

// Inbound opens a request's state: {"params":"…","exchange":"…"} with what is
// there, and consume where the state may be used once.
func Inbound(data []byte, config Config) []byte {
	r := read("inbound", data, config, append(guardMembers, "method", "params", "principal")...)
	method := r.text("method", "method is missing: give the request's")
	params := r.text("params", "params is missing: give the request's as a string with JSON text")
	var principal *string
	if text, ok := r.optional("principal"); ok {
		name := string(text)
		principal = &name
	}
	var used once
	guard := r.guard(nil, &used)
	if r.fault != "" {
		return r.failed()
	}
	opened, x, err := guard.Inbound(string(method), params, principal)
	if err != nil {
		return failure(err)
	}
	answer := appendText([]byte("{"), "params", opened)
	if x != nil {
		exchange, err := x.AppendBinary(nil)
		if err != nil {
			return failure(err)
		}
		answer = appendBytes(append(answer, ','), "exchange", exchange)
	}
	if used.is {
		answer = append(appendBytes(append(answer, `,"consume":{`...), "id", used.id[:]), `,"until":`...)
		answer = append(strconv.AppendInt(answer, used.expires.UnixMilli(), 10), '}')
	}
	return append(answer, '}')
}

// Outbound seals a result's state: {"result":"…"}.
func Outbound(data []byte, config Config) []byte {
	r := read("outbound", data, config, append(guardMembers, "exchange", "random", "result")...)
	exchange := r.binary("exchange", "exchange is missing: give what inbound answered", 0)
	random := r.binary("random", "random is missing: give 8 fresh bytes of the platform's CSPRNG in base64url", saltSize)
	result := r.text("result", "result is missing: give it as a string with JSON text")
	guard := r.guard(random, nil)
	if r.fault != "" {
		return r.failed()
	}
	var x codec.Exchange
	if err := x.UnmarshalBinary(exchange); err != nil {
		return failure(err)
	}
	sealed, err := guard.Outbound(&x, result)
	if err != nil {
		return failure(err)
	}
	return append(appendText([]byte("{"), "result", sealed), '}')
}

// once notes the state that the host must mark as used; the decision is the
// host's.
type once struct {
	is      bool
	id      [16]byte
	expires time.Time
}

func (o *once) Consume(id [16]byte, expires time.Time) (bool, error) {
	*o = once{true, id, expires}
	return true, nil
}

var guardMembers = []string{
	"keys", "maxToken", "now", "audience", "ttl", "maxFlowAge", "maxRounds", "processLocal", "requireState", "singleUse",
}

func (r *request) guard(random []byte, used *once) *codec.Guard {
	audience, ok := r.optional("audience")
	if !ok {
		text, _ := r.config("audience")
		audience = []byte(text)
	}
	now := time.UnixMilli(r.integer("now", "now is missing: give the real time as Unix time in milliseconds"))
	o := codec.GuardOptions{
		Env:          codec.Env{Rand: bytes.NewReader(random), Now: func() time.Time { return now }},
		Audience:     string(audience),
		TTL:          time.Duration(r.integer("ttl", "")) * time.Second,
		MaxFlowAge:   time.Duration(r.integer("maxFlowAge", "")) * time.Second,
		MaxRounds:    int(r.integer("maxRounds", "")),
		ProcessLocal: r.flag("processLocal"),
		RequireState: r.flag("requireState"),
		SingleUse:    r.texts("singleUse"),
		Replay:       used,
	}
	if used == nil {
		o.Replay = new(once)
	}
	c := r.codec()
	if r.fault != "" {
		return nil
	}
	o.Codec = c
	g, err := codec.NewGuard(o)
	if err != nil {
		r.err = err
		r.refuse("")
	}
	return g
}

func (r *request) codec() codec.Codec {
	keys, ok := r.optional("keys")
	if !ok {
		text, configured := r.config("keys")
		if !configured {
			r.refuse("keys is missing: give the key file's text in the call or in the plug-in's config")
			return nil
		}
		keys = []byte(text)
	}
	maxToken := r.integer("maxToken", "")
	if r.fault != "" {
		return nil
	}
	ring, err := codec.ParseKeyRing(keys)
	clear(keys)
	if err == nil {
		var c codec.Codec
		if c, err = codec.NewAEAD(ring, codec.CodecOptions{MaxToken: int(maxToken)}); err == nil {
			return c
		}
	}
	r.err = err
	r.refuse("")
	return nil
}

// failure answers {"error":{…}}: detail is for the server's log, response is
// the JSON-RPC error object for the client.
func failure(err error) []byte {
	e, ok := err.(*codec.Error)
	if !ok {
		e = &codec.Error{Code: refusal.Options, Minting: true, Detail: "unusable"}
	}
	answer := strconv.AppendInt([]byte(`{"error":{"code":`), int64(e.Code), 10)
	answer = appendText(append(answer, ','), "detail", []byte(e.Error()))
	answer = appendText(append(answer, ','), "response", e.AppendResponse(nil))
	return append(answer, "}}"...)
}

func appendText(dst []byte, name string, text []byte) []byte {
	return rawjson.AppendQuoted(append(rawjson.AppendQuoted(dst, name), ':'), text)
}

func appendBytes(dst []byte, name string, data []byte) []byte {
	dst = append(append(append(dst, '"'), name...), `":"`...)
	return append(base64.RawURLEncoding.AppendEncode(dst, data), '"')
}
