// Command extism-go calls a tool of an MCP server through the Extism plug-in and asks in the terminal what the server
// wants to know. README.md describes it.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	extism "github.com/extism/go-sdk"

	"github.com/parley-mcp/parley/wasm"
)

type object = map[string]any

var typed = bufio.NewScanner(os.Stdin)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("Usage: extism-go URL TOOL [ARGUMENTS], or extism-go URL --resume FILE with a call that was parked.\n" +
			"At a question, /decline says no and /park keeps the call in parked.json.")
	}
	url, tool, extra := os.Args[1], os.Args[2], append(os.Args, "{}")[3]
	// Declared below is what this program can answer; nothing else will be asked.
	never := func(string, object) object { return object{"type": "refuse", "reason": "this program cannot"} }
	var callbacks []extism.HostFunction
	for name, f := range map[string]func(string, object) object{"send": send, "elicit": elicit, "sample": never, "list_roots": never} {
		call := func(_ context.Context, p *extism.CurrentPlugin, stack []uint64) {
			var request object
			text := must(p.ReadBytes(stack[0]))
			json.Unmarshal(text, &request)
			answer := f(url, request)
			answer["now"] = time.Now().UnixMilli()
			stack[0] = must(p.WriteBytes(must(json.Marshal(answer))))
		}
		pointer := []extism.ValueType{extism.ValueTypePTR}
		callbacks = append(callbacks, extism.NewHostFunctionWithStack(name, call, pointer, pointer))
	}
	manifest := extism.Manifest{Wasm: []extism.Wasm{extism.WasmData{Data: wasm.Extism()}}}
	plugin := must(extism.NewPlugin(context.Background(), manifest, extism.PluginConfig{}, callbacks))

	export, request := "call", object{"now": time.Now().UnixMilli(), "clientInfo": `{"name":"parley-extism-go","version":"1.0.0"}`}
	if tool == "--resume" {
		export, request["peer"], request["snapshot"] = "resume", url, string(must(os.ReadFile(extra)))
	} else {
		request["method"], request["params"] = "tools/call", `{"name":`+strconv.Quote(tool)+`,"arguments":`+extra+`}`
		request["options"] = object{"capabilities": `{"elicitation":{"form":{}}}`, "peer": url}
	}
	_, output, err := plugin.Call(export, must(json.Marshal(request)))
	var outcome struct {
		Type, Result, Detail, Snapshot string
		Error                          any
	}
	if json.Unmarshal(output, &outcome); err != nil || outcome.Type == "" {
		log.Fatal(err, outcome.Error)
	}
	var result struct{ Content []struct{ Text string } }
	json.Unmarshal([]byte(outcome.Result), &result)
	for _, block := range result.Content {
		fmt.Println("\n" + shown(block.Text))
	}
	if outcome.Snapshot != "" { // it holds a secret
		must(0, os.WriteFile("parked.json", []byte(outcome.Snapshot), 0o600))
		fmt.Printf("\nKept in parked.json. To go on: extism-go %s --resume parked.json\n", url)
	}
	if outcome.Type != "done" {
		log.Fatal(shown(outcome.Detail))
	}
}

// send performs one leg: what goes on the wire, as the plug-in made it.
func send(url string, leg object) object {
	if at, ok := leg["at"].(float64); ok {
		time.Sleep(time.Until(time.UnixMilli(int64(at))))
	}
	ctx := context.Background()
	if until, ok := leg["until"].(float64); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, time.UnixMilli(int64(until)))
		defer cancel()
	}
	post := must(http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(leg["body"].(string))))
	for _, field := range leg["headers"].([]any) {
		post.Header.Set(field.([]any)[0].(string), field.([]any)[1].(string))
	}
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Accept", "application/json, text/event-stream")
	// What goes out is for this server alone: redirects are not followed.
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(post)
	if err != nil {
		return object{"type": "lost", "reason": err.Error(), "unsent": errors.Is(err, syscall.ECONNREFUSED)}
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	// The text is one message, or an event stream with one in each event's data.
	for _, message := range append([][]byte{text}, bytes.Split(text, []byte("\n"))...) {
		message = bytes.TrimPrefix(bytes.TrimSpace(message), []byte("data:"))
		var head struct{ ID any }
		if json.Unmarshal(message, &head) == nil && head.ID == leg["id"] {
			return object{"type": "response", "body": string(message)}
		}
	}
	return object{"type": "lost", "reason": response.Status}
}
