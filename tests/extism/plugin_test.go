package extism_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	extism "github.com/extism/go-sdk"

	"github.com/parley-mcp/parley/wasm"
	"github.com/parley-mcp/parley/wasm/extism/blocking"
	"github.com/parley-mcp/parley/wasm/extism/tokens"
)

// host calls exports; answer is what its callbacks do.
type host interface {
	call(t testing.TB, export string, input []byte, answer func(callback string, text []byte) []byte) []byte
}

// callbacks are the host's.
var callbacks = []string{"post", "receive", "elicit", "sample", "list_roots"}

// plugin is the artifact in the official Go SDK of Extism.
type plugin struct {
	*extism.Plugin
	answer func(callback string, text []byte) []byte
}

func newPlugin(t testing.TB, config map[string]string, change ...func(*extism.Manifest)) *plugin {
	t.Helper()
	p := &plugin{}
	var functions []extism.HostFunction
	for _, name := range callbacks {
		f := extism.NewHostFunctionWithStack(name, func(_ context.Context, current *extism.CurrentPlugin, stack []uint64) {
			text, err := current.ReadBytes(stack[0])
			if err == nil {
				stack[0], err = current.WriteBytes(p.answer(name, text))
			}
			if err != nil {
				panic(err)
			}
		}, []extism.ValueType{extism.ValueTypePTR}, []extism.ValueType{extism.ValueTypePTR})
		functions = append(functions, f)
	}
	ctx := context.Background()
	manifest := extism.Manifest{Wasm: []extism.Wasm{extism.WasmData{Data: wasm.Extism()}}, Config: config}
	for _, f := range change {
		f(&manifest)
	}
	var err error
	if p.Plugin, err = extism.NewPlugin(ctx, manifest, extism.PluginConfig{}, functions); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(ctx) })
	return p
}

func (p *plugin) call(t testing.TB, export string, input []byte, answer func(string, []byte) []byte) []byte {
	t.Helper()
	p.answer = answer
	code, output, err := p.Call(export, input)
	if err != nil || code != 0 {
		t.Fatalf("%s: code %d, %v", export, code, err)
	}
	return output
}

// native is what the plug-in is made of, in this process.
type native struct {
	current blocking.Client
	config  map[string]string
}

func (n *native) call(t testing.TB, export string, input []byte, answer func(string, []byte) []byte) []byte {
	t.Helper()
	config := func(name string) (string, bool) {
		value, ok := n.config[name]
		return value, ok
	}
	switch input = bytes.Clone(input); export {
	case "session":
		n.current.Open(input)
	case "close":
		n.current.Close(input)
	case "call":
		n.current.Begin(input)
	case "resume":
		n.current.Resume(input)
	case "seal":
		return tokens.Seal(input, config)
	case "open":
		return tokens.Open(input, config)
	case "inbound":
		return tokens.Inbound(input, config)
	case "outbound":
		return tokens.Outbound(input, config)
	}
	defer n.current.Forget()
	for {
		callback, text := n.current.Next()
		if callback == blocking.None {
			return n.current.Outcome()
		}
		n.current.Answer(bytes.Clone(answer(callbacks[callback-blocking.Post], text)))
	}
}

// begin begins the session that the calls of a test are made in, and ends it
// after the test.
func begin(t testing.TB, h host, options ...any) {
	t.Helper()
	if got := string(h.call(t, "session", object(options...), nil)); got != "{}" {
		t.Fatalf("session: got %s", got)
	}
	t.Cleanup(func() {
		h.call(t, "close", object("now", 0), func(string, []byte) []byte { return object("now", now(), "type", "tick") })
	})
}

// each runs a test on both, and in other languages.
func each(t *testing.T, config map[string]string, f func(t *testing.T, h host)) {
	t.Run("native", func(t *testing.T) { f(t, &native{config: config}) })
	t.Run("plugin", func(t *testing.T) { f(t, newPlugin(t, config)) })
	eachElsewhere(t, config, f)
}

// members decodes an object.
func members(t testing.TB, text []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return m
}

// object encodes pairs of a name and a value.
func object(pairs ...any) []byte {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	text, _ := json.Marshal(m) // strings, numbers and the like
	return text
}
