// Command extism-go calls a tool of an MCP server through the Extism plug-in and asks in the terminal what the server
// wants to know. README.md describes it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"sync"
	"time"

	extism "github.com/extism/go-sdk"

	"github.com/parley-mcp/parley/wasm"
)

type object = map[string]any

// another is an instance that reads forms, because the one that asks is busy until it has the answer.
var another func() *extism.Plugin

// read calls an export of it.
func read(export string, text []byte) []byte {
	_, output, err := another().Call(export, text)
	return must(output, err)
}

var typed = bufio.NewScanner(os.Stdin)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("Usage: extism-go URL TOOL [ARGUMENTS], or extism-go URL --resume FILE with a call that was parked.\n" +
			"At a question, /decline says no, /park keeps the call in parked.json and /stop gives it up.")
	}
	server, tool, extra := os.Args[1], os.Args[2], append(os.Args, "{}")[3]
	wire := newNetwork(server)
	here := terminal{server}
	var callbacks []extism.HostFunction
	for name, f := range map[string]func(object) object{
		"post": wire.post, "receive": wire.receive, "elicit": here.elicit, "sample": here.sample, "list_roots": here.listRoots,
	} {
		call := func(_ context.Context, p *extism.CurrentPlugin, stack []uint64) {
			var request object
			text := must(p.ReadBytes(stack[0]))
			json.Unmarshal(text, &request)
			answer := f(request)
			answer["now"] = time.Now().UnixMilli()
			stack[0] = must(p.WriteBytes(must(json.Marshal(answer))))
		}
		pointer := []extism.ValueType{extism.ValueTypePTR}
		callbacks = append(callbacks, extism.NewHostFunctionWithStack(name, call, pointer, pointer))
	}
	manifest := extism.Manifest{Wasm: []extism.Wasm{extism.WasmData{Data: wasm.Extism()}}}
	load := func() *extism.Plugin {
		return must(extism.NewPlugin(context.Background(), manifest, extism.PluginConfig{}, callbacks))
	}
	plugin := load()
	another = sync.OnceValue(load)

	// What this program can answer; nothing else will be asked. The session could make any number of calls.
	opened := object{"clientInfo": `{"name":"parley-extism-go","version":"1.0.0"}`, "can": object{"form": true, "sampling": true, "roots": true}}
	ask(plugin, "session", opened)
	request := object{"now": time.Now().UnixMilli()}
	export := "call"
	if tool == "--resume" {
		export, request["peer"], request["snapshot"] = "resume", server, string(must(os.ReadFile(extra)))
	} else {
		request["method"], request["params"] = "tools/call", `{"name":`+strconv.Quote(tool)+`,"arguments":`+extra+`}`
		request["options"] = object{"peer": server}
	}
	end := ask(plugin, export, request)
	ask(plugin, "close", object{"now": time.Now().UnixMilli()})
	var result struct{ Content []struct{ Text string } }
	json.Unmarshal([]byte(end.Result), &result)
	for _, block := range result.Content {
		fmt.Println("\n" + shown(block.Text))
	}
	if end.Snapshot != "" { // it holds a secret
		must(0, os.WriteFile("parked.json", []byte(end.Snapshot), 0o600))
		fmt.Printf("\nKept in parked.json. To go on: extism-go %s --resume parked.json\n", server)
	}
	if end.Type != "done" {
		log.Fatal(shown(end.Detail))
	}
}

// outcome is how a call ended, or anything else that the plug-in was asked for.
type outcome struct {
	Type, Result, Detail, Snapshot string
	Error                          any // of a request that cannot be used
}

// ask calls an export.
func ask(plugin *extism.Plugin, export string, request object) (o outcome) {
	_, output, err := plugin.Call(export, must(json.Marshal(request)))
	must(0, err)
	must(0, json.Unmarshal(output, &o))
	if failure, ok := o.Error.(object); ok && o.Type == "" {
		log.Fatal(failure["detail"])
	}
	return o
}
