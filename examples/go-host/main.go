// Command go-host calls a tool of an MCP server and asks in the terminal what
// the server wants to know. README.md says how to run it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal(`Usage: go-host URL TOOL ARGUMENTS, the arguments as JSON: '{"location":"Oslo"}'`)
	}
	params, err := json.Marshal(map[string]any{"name": os.Args[2], "arguments": json.RawMessage(os.Args[3])})
	if err != nil {
		log.Fatal("the arguments are no JSON: ", err)
	}
	session, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: os.Args[1]}, parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "go-host", Version: "0.1.0"},
		Callbacks:  parley.Callbacks{Elicit: ask},
	})
	if err != nil {
		log.Fatal(err)
	}
	out, err := session.Call(context.Background(), "tools/call", params, engine.Options{}, parley.Callbacks{})
	session.Close()
	var failed *parley.Error
	if errors.As(err, &failed) && failed.Response != nil {
		err = fmt.Errorf("%w: %s", err, failed.Response) // what the server says about it
	}
	if err != nil {
		log.Fatal(shown(err.Error()))
	}
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(out.Result, &result); err != nil {
		log.Fatal(err)
	}
	for _, block := range result.Content {
		fmt.Println("\n" + shown(block.Text))
	}
	if result.IsError {
		os.Exit(1)
	}
}
