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

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/terminal"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal(`Usage: go-host URL TOOL ARGUMENTS, the arguments as JSON: '{"location":"Oslo"}'`)
	}
	session, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: os.Args[1]}, parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "go-host", Version: "0.1.0"},
		Askers:     terminal.Askers(os.Stdin, os.Stdout),
	})
	if err != nil {
		log.Fatal(err)
	}
	result, err := session.CallTool(context.Background(), parley.ToolCall{Name: os.Args[2], Arguments: json.RawMessage(os.Args[3])})
	session.Close()
	var failed *parley.Error
	if errors.As(err, &failed) && failed.Response != nil {
		err = fmt.Errorf("%w: %s", err, failed.Response) // what the server says about it
	}
	if err != nil {
		log.Fatal(terminal.Shown(err.Error()))
	}
	for _, block := range result.Content {
		fmt.Println("\n" + terminal.Shown(block.Text))
	}
	if result.IsError {
		os.Exit(1)
	}
}
