// Command stale ends with 1, and says what to do, if a module in wasm/ was not
// built from the Go code beside it. For scripts; tests call package sources.
package main

import (
	"fmt"
	"os"

	"github.com/parley-mcp/parley/internal/testkit/sources"
)

func main() {
	if err := sources.Check(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
