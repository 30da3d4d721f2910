package tokens_test

import (
	"encoding/json"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/puritytest"
	"github.com/parley-mcp/parley/wasm/extism/tokens"
)

func TestPure(t *testing.T) { puritytest.Check(t, ".", 2) }

const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"

// FuzzTokens asks for anything: an answer is JSON and has an error or what was
// asked for.
func FuzzTokens(f *testing.F) {
	f.Add(uint8(0), `{"context":"c","plaintext":"p"}`)
	f.Add(uint8(0), `{"context":"c","bytes":"_w","maxToken":80}`)
	f.Add(uint8(1), `{"context":"c","token":"Ectyi7"}`)
	f.Add(uint8(2), `{"now":1790000000000,"method":"tools/call","params":"{\"name\":\"t\",\"requestState\":\"x\"}","principal":"p","ttl":60,"singleUse":["t"]}`)
	f.Add(uint8(2), `{"now":1790000000000,"method":"tools/call","params":"{\"name\":\"t\",\"inputResponses\":{\"a\":{}}}","requireState":true}`)
	f.Add(uint8(3), `{"now":1790000000000,"exchange":"AAAA","random":"AAAAAAAAAAA","result":"{\"requestState\":\"s\"}"}`)
	f.Fuzz(func(t *testing.T, export uint8, request string) {
		config := func(name string) (string, bool) { return map[string]string{"keys": keys, "audience": "a"}[name], true }
		do := []func([]byte, tokens.Config) []byte{tokens.Seal, tokens.Open, tokens.Inbound, tokens.Outbound}[export%4]
		var answer map[string]json.RawMessage
		text := do([]byte(request), config)
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		done := []string{"token", "plaintext", "params", "result"}[export%4]
		if answer["error"] == nil && answer[done] == nil && answer["bytes"] == nil {
			t.Errorf("%s is an answer to %s", text, request)
		}
	})
}
