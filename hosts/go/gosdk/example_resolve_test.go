package gosdk_test

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// A tool whose size comes from the model, and whose address from the person.
func ExampleResolve() {
	server := mcp.NewServer(&mcp.Implementation{Name: "example", Version: "1"}, nil)
	server.AddReceivingMiddleware(gosdk.Guard(processGuard(), gosdk.Options{}))

	type address struct {
		Street string `json:"street" jsonschema:"With the number of the house"`
		Floor  int    `json:"floor,omitempty"`
	}
	type order struct {
		Size string  `json:"size"`
		To   address `json:"-" ask:"Where should the pizza go?"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "order"}, gosdk.Resolve(
		func(ctx context.Context, req *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
			return say("A " + in.Size + " pizza goes to " + in.To.Street + "."), nil, nil
		}))

	fmt.Println(callExample(server, "order", map[string]any{"street": "7 Main Street"}))
	// Output:
	// Where should the pizza go?
	// A small pizza goes to 7 Main Street.
}
