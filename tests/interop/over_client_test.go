package interop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
	"github.com/parley-mcp/parley/tests/interop"
)

// overClient is a connection of the Go SDK's client as a transport.
type overClient struct {
	*gosdk.Carrier
	logged chan string
	cmd    *exec.Cmd // of a server over stdio
}

// overGoSDK connects the Go SDK's client, whose own handlers must play no part.
func overGoSDK(t *testing.T, at target) *overClient {
	t.Helper()
	c := &overClient{}
	client := mcp.NewClient(&mcp.Implementation{Name: "interop-over-gosdk", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			t.Error("the client's own handler was asked")
			return &mcp.ElicitResult{Action: "cancel"}, nil
		},
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) { c.logged <- fmt.Sprint(r.Params.Data) },
		Capabilities:          gosdk.Capabilities(engine.Can{Form: true, URL: true, Sampling: true, Roots: true}),
	})
	shared := gosdk.Over(client)
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: at.url}
	if at.url == "" {
		c.cmd = exec.Command(at.command[0], at.command[1:]...)
		transport = &mcp.CommandTransport{Command: c.cmd}
	}
	connection, err := client.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })                      // after the session
	if _, err := connection.ListTools(t.Context(), nil); err != nil { // names the parameters that are header fields
		t.Fatal(err)
	}
	c.Carrier = shared.Carry(connection)
	return c
}

// TestOverDies kills servers while a tool runs.
func TestOverDies(t *testing.T) {
	for _, server := range interop.Servers() {
		t.Run(server.String(), func(t *testing.T) {
			t.Parallel()
			over := overGoSDK(t, target{command: server.Command(t)})
			c := dial(t, overGo, over, server.Era)
			cb := c.callbacks(interop.Case{}.Person())
			cb.OnProgress = func(int, []byte) {
				if err := over.cmd.Process.Kill(); err != nil {
					t.Error(err)
				}
			}
			_, err := c.call(t.Context(), interop.Case{Tool: "slow", Arguments: json.RawMessage(`{"id":"dies","seconds":300}`)}, cb)
			wantInDoubt(t, err)
			_, err = c.call(t.Context(), interop.Case{Tool: "slow", Arguments: json.RawMessage(`{"id":"dies","seconds":300}`)}, cb)
			if !errors.Is(err, fault.Lost) {
				t.Errorf("afterwards: got %v, want that nothing was sent", err)
			}
		})
	}
}
