package fault_test

import (
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
)

func ExampleCode() {
	_, err := engine.New("", nil, engine.Options{})
	fmt.Println(errors.Is(err, fault.Options), err)
	for _, code := range []fault.Code{fault.Rounds, fault.Malformed} {
		fmt.Printf("%v (%d), can go on later: %v\n", code, int32(code), code.Resumable())
	}
	// Output:
	// true engine: unusable options: the method is empty
	// engine: too many rounds (7), can go on later: true
	// engine: malformed message from the server (4), can go on later: false
}
