// A program that drives the engine by hand.
package main

import (
	"fmt"
	"log"

	"github.com/parley-mcp/parley/engine"
)

func main() {
	flow, err := engine.New("tools/call", []byte(`{"name":"get_weather"}`), engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	actions, err := flow.Step(0, engine.Begin{})
	if err != nil {
		log.Fatal(err)
	}
	for _, action := range actions {
		if send, ok := action.(engine.Send); ok {
			fmt.Println(send.Method)
		}
	}
}
