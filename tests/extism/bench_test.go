package extism_test

import "testing"

// BenchmarkCall is a call with one question, callbacks that answer at once.
func BenchmarkCall(b *testing.B) {
	accept := object("now", 3000, "type", "answer", "raw", `{"action":"accept","content":{"unit":"m"}}`)
	round, last := result(2, question), result(3, final)
	for name, h := range map[string]host{"native": &native{}, "plugin": newPlugin(b, nil)} {
		b.Run(name, func(b *testing.B) {
			request := callAsking()
			b.ReportAllocs()
			for b.Loop() {
				legs := 0
				h.call(b, "call", request, func(callback string, _ []byte) []byte {
					if callback == "elicit" {
						return accept
					}
					if legs++; legs == 1 {
						return round
					}
					return last
				})
			}
		})
	}
}
