package extism_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/codectest"
	"github.com/parley-mcp/parley/codec/refusal"
)

// TestVectors replays the codec's vectors: tokens, results and errors must be the
// very bytes.
func TestVectors(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		codectest.Vectors(t, "../../codec/testdata/vectors", vectors{t, h}, func(name string) bool {
			for _, other := range []string{
				"age-", "box", "canonical", "question", // there are no such exports
				"guard-no-randomness", "guard-lengths", // a host cannot give a call half of its bytes
			} {
				if strings.HasPrefix(name, other) {
					return true
				}
			}
			return false
		})
	})
}

// vectors is a host that makes its codec and guard anew with every call.
type vectors struct {
	t testing.TB
	host
}

// ask calls an export; its error is a codec.Error.
func (v vectors) ask(export string, request map[string]any) (map[string]any, error) {
	text, err := json.Marshal(request)
	if err != nil {
		v.t.Fatal(err)
	}
	answer := members(v.t, v.call(v.t, export, text, nil))
	failed, ok := answer["error"].(map[string]any)
	if !ok {
		return answer, nil
	}
	code := refusal.Code(failed["code"].(float64))
	detail := strings.TrimPrefix(failed["detail"].(string), "codec: "+code.Error())
	e := &codec.Error{Code: code, Detail: strings.TrimPrefix(detail, ": "), Minting: strings.Contains(failed["response"].(string), "-32603")}
	if got, want := failed["response"].(string), string(e.AppendResponse(nil)); got != want {
		v.t.Errorf("%s: the response is %s, want %s", export, got, want)
	}
	return nil, e
}

// made is an error of the codec or guard itself, which the plug-in makes anew
// with every call.
func made(err error) error {
	if e, ok := err.(*codec.Error); ok && (e.Code == refusal.Key || e.Code == refusal.Options) {
		return err
	}
	return nil
}

func (v vectors) Codec(keys []byte, o codec.CodecOptions, _ codec.Env) (codec.Codec, error) {
	c := vectorCodec{v, map[string]any{"keys": string(keys), "maxToken": o.MaxToken}}
	_, err := c.Open("", nil)
	return c, made(err)
}

type vectorCodec struct {
	vectors
	options map[string]any
}

func (c vectorCodec) request(pairs ...any) map[string]any {
	request := members(c.t, object(pairs...))
	for name, value := range c.options {
		request[name] = value
	}
	return request
}

func (c vectorCodec) Seal(plaintext, context []byte) (string, error) {
	answer, err := c.ask("seal", c.request("context", string(context), "bytes", base64.RawURLEncoding.EncodeToString(plaintext)))
	if err != nil {
		return "", err
	}
	return answer["token"].(string), nil
}

func (c vectorCodec) Open(token string, context []byte) ([]byte, error) {
	answer, err := c.ask("open", c.request("context", string(context), "token", token))
	if err != nil {
		return nil, err
	}
	if text, ok := answer["plaintext"].(string); ok {
		return []byte(text), nil
	}
	return base64.RawURLEncoding.DecodeString(answer["bytes"].(string))
}

func (v vectors) Guard(keys []byte, maxToken int, o codec.GuardOptions) (codectest.Guard, error) {
	g := vectorGuard{vectorCodec{v, map[string]any{
		"keys": string(keys), "maxToken": maxToken, "audience": o.Audience, "ttl": o.TTL / time.Second, "maxFlowAge": o.MaxFlowAge / time.Second,
		"maxRounds": o.MaxRounds, "processLocal": o.ProcessLocal, "requireState": o.RequireState, "singleUse": o.SingleUse,
	}}, o}
	if o.SingleUse == nil {
		g.options["singleUse"] = []string{}
	}
	_, err := g.ask("inbound", g.request("now", 0, "method", "none", "params", "{}"))
	return g, made(err)
}

type vectorGuard struct {
	vectorCodec
	o codec.GuardOptions
}

func (g vectorGuard) Inbound(method string, params []byte, principal *string) ([]byte, codectest.Exchange, error) {
	request := g.request("now", g.o.Env.Now().UnixMilli(), "method", method, "params", string(params))
	if principal != nil {
		request["principal"] = *principal
	}
	answer, err := g.ask("inbound", request)
	if err != nil {
		return nil, nil, err
	}
	if once, ok := answer["consume"].(map[string]any); ok {
		id, err := base64.RawURLEncoding.DecodeString(once["id"].(string))
		if err != nil {
			g.t.Fatal(err)
		}
		switch first, err := g.o.Replay.Consume([16]byte(id), time.UnixMilli(int64(once["until"].(float64)))); {
		case err != nil:
			return nil, nil, &codec.Error{Code: refusal.ReplayStore, Err: err}
		case !first:
			return nil, nil, &codec.Error{Code: refusal.Replayed}
		}
	}
	exchange, ok := answer["exchange"].(string)
	if !ok {
		return []byte(answer["params"].(string)), nil, nil
	}
	var x codec.Exchange
	data, err := base64.RawURLEncoding.DecodeString(exchange)
	if err != nil || x.UnmarshalBinary(data) != nil {
		g.t.Fatalf("the exchange cannot be read: %v", err)
	}
	return []byte(answer["params"].(string)), &x, nil
}

func (g vectorGuard) Outbound(x codectest.Exchange, result []byte) ([]byte, error) {
	random := make([]byte, 8)
	io.ReadFull(g.o.Env.Rand, random)
	exchange, _ := x.(*codec.Exchange).AppendBinary(nil)
	answer, err := g.ask("outbound", g.request("now", g.o.Env.Now().UnixMilli(), "exchange", base64.RawURLEncoding.EncodeToString(exchange),
		"random", base64.RawURLEncoding.EncodeToString(random), "result", string(result)))
	if err != nil {
		return nil, err
	}
	return []byte(answer["result"].(string)), nil
}

// What the plug-in has no exports for is package codec's here, so that vectors
// with a line of it can be played.
func (v vectors) Box(keys []byte) (codectest.Box, error) { return codectest.Native{}.Box(keys) }

func (v vectors) Canonical(json []byte) ([]byte, bool) { return codectest.Native{}.Canonical(json) }

func (v vectors) Question(key, method string, params []byte) ([16]byte, error) {
	return codectest.Native{}.Question(key, method, params)
}

// Keys and the audience may come from the plug-in's config; what is missing is
// named, and nothing has a default.
func TestTokens(t *testing.T) {
	const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
	const now = 1_790_000_000_000
	each(t, map[string]string{"keys": keys, "audience": "tests"}, func(t *testing.T, h host) {
		ask := func(export string, pairs ...any) map[string]any {
			return members(t, h.call(t, export, object(pairs...), nil))
		}
		token := ask("seal", "context", "parley-sdk/1", "plaintext", "step 2")["token"]
		if got := ask("open", "context", "parley-sdk/1", "token", token)["plaintext"]; got != "step 2" {
			t.Errorf("open: got %v, want step 2", got)
		}
		token = ask("seal", "context", "parley-sdk/1", "bytes", "_w")["token"]
		if got := ask("open", "context", "parley-sdk/1", "token", token)["bytes"]; got != "_w" {
			t.Errorf("open: got %v, want _w", got)
		}
		const params = `{"name":"t","arguments":{"n":1.0}}`
		in := ask("inbound", "now", now, "method", "tools/call", "params", params)
		out := ask("outbound", "now", now, "exchange", in["exchange"], "random", "AAAAAAAAAAA", "result",
			`{"resultType":"input_required","requestState":"secret","inputRequests":{"q":{"method":"roots/list"}}}`)
		result, _ := out["result"].(string)
		if result == "" || strings.Contains(result, "secret") {
			t.Fatalf("outbound: got %v", out)
		}
		state := members(t, []byte(result))["requestState"].(string)
		retry := strings.TrimSuffix(params, "}") + `,"requestState":"` + state + `","inputResponses":{"q":{"roots":[]}}}`
		in = ask("inbound", "now", now+1000, "method", "tools/call", "params", retry)
		if got := in["params"].(string); !strings.Contains(got, `"requestState":"secret"`) {
			t.Errorf("inbound: got %s", got)
		}
		late := ask("inbound", "now", now+86_400_000, "method", "tools/call", "params", retry)["error"].(map[string]any)
		if late["code"] != 7.0 || !strings.Contains(late["response"].(string), "Invalid or expired requestState") {
			t.Errorf("a day later: got %v", late)
		}
	})
	missing := map[string]struct {
		export  string
		request []byte
		want    string
	}{
		"keys":      {"open", object("context", "c", "token", "t"), "open: keys is missing"},
		"context":   {"seal", object("keys", keys, "plaintext", "p"), "seal: context is missing"},
		"plaintext": {"seal", object("keys", keys, "context", "c"), "seal: what to seal is missing"},
		"both":      {"seal", object("keys", keys, "context", "c", "plaintext", "p", "bytes", "AA"), "seal: both plaintext and bytes are given"},
		"padded":    {"seal", object("keys", keys, "context", "c", "bytes", "AA=="), "seal: bytes is not base64url without padding"},
		"token":     {"open", object("keys", keys, "context", "c"), "open: token is missing"},
		"method":    {"inbound", object("keys", keys, "now", now, "params", "{}"), "inbound: method is missing"},
		"params":    {"inbound", object("keys", keys, "now", now, "method", "tools/call"), "inbound: params is missing"},
		"now":       {"inbound", object("keys", keys, "audience", "a", "method", "tools/call", "params", "{}"), "inbound: now is missing"},
		"audience":  {"inbound", object("keys", keys, "now", now, "method", "tools/call", "params", "{}"), "an Audience is required"},
		"random":    {"outbound", object("keys", keys, "audience", "a", "now", now, "exchange", "", "result", "{}"), "outbound: random is missing: give 8 fresh bytes"},
		"few":       {"outbound", object("keys", keys, "audience", "a", "now", now, "exchange", "", "random", "AAAA", "result", "{}"), "outbound: random is missing"},
		"exchange":  {"outbound", object("keys", keys, "audience", "a", "now", now, "random", "AAAAAAAAAAA", "result", "{}"), "outbound: exchange is missing"},
		"key":       {"open", object("keys", "k", "context", "c", "token", "t"), "unusable key"},
		"member":    {"open", object("keys", keys, "context", "c", "token", "t", "now", 1), `open: member "now" is not known here`},
		"JSON":      {"open", nil, "open: expected an object"},
	}
	each(t, nil, func(t *testing.T, h host) {
		for name, tt := range missing {
			got := h.call(t, tt.export, tt.request, nil)
			failed, _ := members(t, got)["error"].(map[string]any)
			if detail, _ := failed["detail"].(string); !strings.Contains(detail, tt.want) {
				t.Errorf("%s: got %s, want %s", name, got, tt.want)
			}
		}
	})
}
