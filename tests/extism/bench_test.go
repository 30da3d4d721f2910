package extism_test

import (
	"encoding/json"
	"testing"
)

// BenchmarkCall is a call with one question, callbacks that answer at once.
func BenchmarkCall(b *testing.B) {
	accept := object("now", 3000, "type", "answer", "raw", `{"action":"accept","content":{"unit":"m"}}`)
	answering := func(b *testing.B, text []byte, result string) []byte {
		var posted struct{ Exchange int }
		if err := json.Unmarshal(text, &posted); err != nil {
			b.Fatal(err)
		}
		return object("now", 2000, "type", "message", "exchange", posted.Exchange, "last", true, "body", `{"jsonrpc":"2.0","id":1,"result":`+result+`}`)
	}
	round, last := question, final
	for name, h := range map[string]host{"native": &native{}, "plugin": newPlugin(b, nil)} {
		b.Run(name, func(b *testing.B) {
			begin(b, h, "transport", "requests")
			request := callAsking()
			b.ReportAllocs()
			for b.Loop() {
				legs := 0
				h.call(b, "call", request, func(callback string, text []byte) []byte {
					if callback == "elicit" {
						return accept
					}
					if legs++; callback == "post" && legs == 1 {
						return answering(b, text, round)
					}
					return answering(b, text, last)
				})
			}
		})
	}
}
