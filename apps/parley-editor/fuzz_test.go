package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
)

type discard struct{ io.Writer }

func (discard) Close() error { return nil }

// FuzzHost feeds anything to a host: it ends, and does not panic. It is in the
// program's own package because a program cannot be imported.
func FuzzHost(f *testing.F) {
	frame := func(messages ...string) string {
		var b strings.Builder
		for _, m := range messages {
			newFrames(strings.NewReader(""), discard{&b}).WriteObject(json.RawMessage(m))
		}
		return b.String()
	}
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"asks":{"elicit":true}}}`
	f.Add(frame(initialize, `{"jsonrpc":"2.0","id":2,"method":"parked"}`, `{"jsonrpc":"2.0","method":"exit"}`))
	f.Add(frame(initialize, `{"jsonrpc":"2.0","id":2,"method":"validate","params":{"form":"x","field":0,"value":{"chosen":[0]}}}`))
	f.Add(frame(initialize, `[{"jsonrpc":"2.0","id":2,"method":"answer","params":{"ask":"x"}},{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}]`))
	f.Add(frame(initialize, initialize) + "Content-Length: 5\r\n\r\n{}")
	f.Fuzz(func(t *testing.T, input string) {
		for _, never := range []string{"command", "url"} { // what would start or call something
			if strings.Contains(input, never) || strings.Contains(input, `\u`) {
				t.Skip()
			}
		}
		newHost(parley.Native{}, nil, "").serve(context.Background(), newFrames(bytes.NewReader([]byte(input)), discard{io.Discard}))
	})
}
