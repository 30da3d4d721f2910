package refusal_test

import (
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

func ExampleCode() {
	_, err := codec.ParseKeyRing([]byte("parley-key/1 11 c2hvcnQ\n"))
	fmt.Println(errors.Is(err, refusal.Key), err)
	// Output: true codec: unusable key: line 1 of the key file: a secret has 32 to 64 bytes
}
