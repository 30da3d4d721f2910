package peers_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/hosttest"
)

var turns = flag.Int("turns", 1, "how often each row has its turn")

func TestMain(m *testing.M) {
	os.Exit(hosttest.Main(m))
}

// row is a benchmark of a table.
type row struct {
	name string
	run  func(b *testing.B)
}

// takeTurns runs the rows one after another, and all of them again: what holds up
// the machine for a while holds up more than one.
func takeTurns(b *testing.B, rows []row) {
	for range *turns {
		for _, r := range rows {
			b.Run(r.name, r.run)
		}
	}
}

// BenchmarkCall times one whole call on the client's side: made by hand with a
// flow, see [hosttest.BenchFlow], and in a session over a connection that is there
// already, see [hosttest.BenchRequests]. gosdk is the official SDK's own loop on
// the same script. A flow's host and the SDK make and read JSON-RPC text for every
// leg; a session's requests are made by whose connection it is.
func BenchmarkCall(b *testing.B) {
	wazero := hosttest.NewRuntime(b, parley.RuntimeOptions{})
	var rows []row
	for _, legs := range []int{1, 2, 10} {
		name := fmt.Sprintf("legs=%d", legs)
		rows = append(rows,
			row{"native-flow/" + name, func(b *testing.B) { hosttest.BenchFlow(b, parley.Native{}, legs) }},
			row{"wazero-flow/" + name, func(b *testing.B) { hosttest.BenchFlow(b, wazero, legs) }},
			row{"native-requests/" + name, func(b *testing.B) { hosttest.BenchRequests(b, parley.Native{}, legs) }},
			row{"wazero-requests/" + name, func(b *testing.B) { hosttest.BenchRequests(b, wazero, legs) }},
			row{"gosdk/" + name, func(b *testing.B) { benchSDK(b, legs) }})
	}
	takeTurns(b, rows)
}

func benchSDK(b *testing.B, legs int) {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "octocat"}}, nil
		},
	})
	session, err := client.Connect(ctx, &scriptedPeer{legs: legs, answers: make(chan []byte, 1)}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	params := &mcp.CallToolParams{Name: "get_weather", Arguments: map[string]any{"location": "New York"}}
	b.ReportAllocs()
	for b.Loop() {
		result, err := session.CallTool(ctx, params)
		if err != nil || len(result.Content) == 0 {
			b.Fatal(err)
		}
	}
}

// scriptedPeer is a transport and connection of the SDK whose other side is
// the script.
type scriptedPeer struct {
	legs, leg int
	answers   chan []byte
}

func (p *scriptedPeer) Connect(context.Context) (mcp.Connection, error) { return p, nil }

func (p *scriptedPeer) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case text, ok := <-p.answers:
		if !ok {
			return nil, mcp.ErrConnectionClosed
		}
		return jsonrpc.DecodeMessage(text)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *scriptedPeer) Write(_ context.Context, message jsonrpc.Message) error {
	request, ok := message.(*jsonrpc.Request)
	if !ok || !request.IsCall() {
		return nil
	}
	if _, err := jsonrpc.EncodeMessage(message); err != nil {
		return err
	}
	result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}}}`
	if request.Method == "tools/call" {
		p.leg = p.leg%p.legs + 1
		result = hosttest.ScriptedAnswer(p.leg, p.legs)
	}
	id, err := json.Marshal(request.ID.Raw())
	if err != nil {
		return err
	}
	p.answers <- []byte(`{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + result + `}`)
	return nil
}

func (p *scriptedPeer) Close() error {
	defer func() { recover() }() // Close may be called more than once
	close(p.answers)
	return nil
}

func (p *scriptedPeer) SessionID() string { return "" }
