package main

import (
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/internal/canon"
	"github.com/parley-mcp/parley/internal/codecwire"
	"github.com/parley-mcp/parley/wasm/internal/boundary"
)

// guard is a Guard and what its calls bring or take.
type guard struct {
	*codec.Guard
	now     time.Time
	consume *consumed
	own     *ownCodec // nil if the keys are in here
}

// consumed is the state a host must mark as used before it releases it.
type consumed struct {
	id      [16]byte
	expires time.Time
}

// Consume leaves the decision to the host.
func (g *guard) Consume(id [16]byte, expires time.Time) (bool, error) {
	g.consume = &consumed{id, expires}
	return true, nil
}

const (
	flagProcessLocal = 1 << iota
	flagRequireState
)

// parleyGuardNew makes a guard; it answers a handle. Fields: the key file, absent
// if the host has a codec of its own; u32 longest token, audience, u32 ttl s, u32 maxFlowAge s, u32 maxRounds,
// u32 flags, u32 number of single-use targets, and each of them.
//
//go:wasmexport parley_guard_new
func parleyGuardNew(size uint32) int32 {
	c, r, err := readCodec(size)
	if err != nil {
		return fail(err)
	}
	g := new(guard)
	if c == nil {
		g.own = new(ownCodec)
		c = g.own
	}
	o := codec.GuardOptions{
		Codec:      c,
		Env:        codec.Env{Rand: &source, Now: func() time.Time { return g.now }},
		Audience:   string(r.Field()),
		TTL:        time.Duration(r.Uint32()) * time.Second,
		MaxFlowAge: time.Duration(r.Uint32()) * time.Second,
		MaxRounds:  int(r.Uint32()),
		Replay:     g,
	}
	flags := r.Uint32()
	o.ProcessLocal, o.RequireState = flags&flagProcessLocal != 0, flags&flagRequireState != 0
	for n := r.Uint32(); n > 0 && !r.Bad; n-- {
		o.SingleUse = append(o.SingleUse, string(r.Field()))
	}
	if !r.End() {
		return fail(errUsage)
	}
	if g.Guard, err = codec.NewGuard(o); err != nil {
		return fail(err)
	}
	return int32(live.Hold(&held{guard: g}))
}

// parleyGuardInbound opens a request's state. Fields: method, params, principal
// or absent. Answer: params, absent if unchanged; the exchange, absent if there
// is nothing to guard; then, absent unless the state may be used once, the id to
// consume, and u32 until when to remember it, in Unix seconds. With a codec of
// the host's own there is a field more in each; see ownCodec.
//
//go:wasmexport parley_guard_inbound
func parleyGuardInbound(handle uint32, nowMillis float64, size uint32) int32 {
	r := codecwire.Reader{Data: boundary.Request(size)}
	method, params, principal := string(r.Field()), r.Field(), r.Optional()
	h := live.Get(handle)
	if h == nil || h.guard == nil || !h.guard.own.read(&r) {
		return fail(errUsage)
	}
	g := h.guard
	g.now, g.consume = time.UnixMilli(int64(nowMillis)), nil
	opened, x, err := g.Inbound(method, params, principal)
	answer, asked := g.own.answer(boundary.Room())
	if asked {
		return succeed(answer)
	}
	if err != nil {
		return fail(err)
	}
	if len(opened) == len(params) && (len(opened) == 0 || &opened[0] == &params[0]) {
		answer = codecwire.AppendAbsent(answer)
	} else {
		answer = codecwire.AppendField(answer, opened)
		clear(opened)
	}
	if x == nil {
		answer = codecwire.AppendAbsent(answer)
	} else {
		answer = appendExchange(answer, x)
	}
	if g.consume == nil {
		return succeed(codecwire.AppendUint32(codecwire.AppendAbsent(answer), 0))
	}
	answer = codecwire.AppendField(answer, g.consume.id[:])
	return succeed(codecwire.AppendUint32(answer, uint32(g.consume.expires.Unix())))
}

// appendExchange appends an exchange as a field.
func appendExchange(dst []byte, x *codec.Exchange) []byte {
	at := len(dst)
	dst, _ = x.AppendBinary(codecwire.AppendUint32(dst, 0))
	codecwire.AppendUint32(dst[:at], uint32(len(dst)-at-4))
	return dst
}

// parleyGuardOutbound seals a result's state. Fields: the exchange, 40 random
// bytes, the result. Answer: the result, absent if unchanged. With a codec of the
// host's own there is a field more in each; see ownCodec.
//
//go:wasmexport parley_guard_outbound
func parleyGuardOutbound(handle uint32, nowMillis float64, size uint32) int32 {
	request := boundary.Request(size)
	r := codecwire.Reader{Data: request}
	exchange, entropy, result := r.Field(), r.Field(), r.Field()
	h := live.Get(handle)
	if h == nil || h.guard == nil || !h.guard.own.read(&r) || len(entropy) != saltSize+entropySize {
		return fail(errUsage)
	}
	var x codec.Exchange
	if err := x.UnmarshalBinary(exchange); err != nil {
		return fail(err)
	}
	g := h.guard
	g.now = time.UnixMilli(int64(nowMillis))
	source.fill(entropy)
	sealed, err := g.Outbound(&x, result)
	answer, asked := g.own.answer(boundary.Room())
	if asked {
		clear(request)
		return succeed(answer)
	}
	if err != nil {
		clear(request)
		return fail(err)
	}
	if len(sealed) == len(result) && (len(sealed) == 0 || &sealed[0] == &result[0]) {
		return succeed(codecwire.AppendAbsent(answer))
	}
	clear(request)
	return succeed(codecwire.AppendField(answer, sealed))
}

// parleyGuardVerdict tells whether an answer may be used for a question. Fields:
// the exchange, key, method, params or absent. It answers a codec.Verdict.
//
//go:wasmexport parley_guard_verdict
func parleyGuardVerdict(size uint32) int32 {
	r := codecwire.Reader{Data: boundary.Request(size)}
	exchange, key, method, params := r.Field(), string(r.Field()), string(r.Field()), r.Field()
	var x codec.Exchange
	if !r.End() {
		return fail(errUsage)
	}
	if err := x.UnmarshalBinary(exchange); err != nil {
		return fail(err)
	}
	return int32(x.Verdict(key, method, params))
}

// parleyQuestion answers the digest of a question, 16 bytes. Fields: key,
// method, params or absent.
//
//go:wasmexport parley_question
func parleyQuestion(size uint32) int32 {
	r := codecwire.Reader{Data: boundary.Request(size)}
	key, method, params := string(r.Field()), string(r.Field()), r.Field()
	if !r.End() {
		return fail(errUsage)
	}
	digest, err := codec.Question{Key: key, Method: method, Params: params}.Digest()
	if err != nil {
		return fail(err)
	}
	return succeed(append(boundary.Room(), digest[:]...))
}

// parleyCanonical answers the canonical form of JSON text, which is the whole
// request.
//
//go:wasmexport parley_canonical
func parleyCanonical(size uint32) int32 {
	canonical, ok := canon.Append(boundary.Room(), boundary.Request(size))
	if !ok {
		return fail(&codec.Error{Code: refusal.Malformed, Detail: "JSON without a canonical form"})
	}
	return succeed(canonical)
}
