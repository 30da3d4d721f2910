// Command record prints what a module is made of as JSON, for
// wasm/toolchain/wasm.sh, from the library's folder. Usage: record ./wasm/guest tag,tag
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/parley-mcp/parley/internal/testkit/sources"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(main, tags string) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	record, err := sources.Of(root, main, tags)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(record)
}
