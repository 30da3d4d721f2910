package gosdk_test

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// panics is a Codec that seals, and panics at short tokens and long states, as one
// does that slices without a look at the length.
type panics struct{ codec.Codec }

func (p panics) Seal(plaintext, context []byte) (string, error) {
	if len(plaintext) > 1000 {
		panic("a secret")
	}
	return p.Codec.Seal(plaintext, context)
}

func (p panics) Open(token string, context []byte) ([]byte, error) {
	return p.Codec.Open(token[:60]+token[60:], context)
}

// A client that sends a text at which the server's own Codec panics hears what it
// hears of any other, and the server goes on.
func TestGuardSurvivesItsCodec(t *testing.T) {
	aead, err := codec.NewAEAD(ring(t, 1), codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var logged journal
	guard := newGuard(t, newClock(), codec.GuardOptions{Codec: panics{aead}})
	session := legs(t, serve(t, newServer(guard, gosdk.Options{Logger: logged.logger()}, counting)), everything())
	_, state := call(t, session, "count", nil, nil, "")
	if got, _ := call(t, session, "count", nil, nil, "short"); got != frozen {
		t.Errorf("a token that is short: got %s, want %s", got, frozen)
	}
	if !strings.Contains(logged.String(), "slice bounds out of range [:60] with length 5") {
		t.Errorf("the log does not say why: %s", logged.String())
	}
	if _, next := call(t, session, "count", nil, nil, state); next == "" {
		t.Error("the call does not go on")
	}
	long := strings.Repeat("long", 1000)
	asks := newServer(guard, gosdk.Options{Logger: logged.logger()}, func(server *mcp.Server) {
		server.AddTool(&mcp.Tool{Name: "ask", InputSchema: object()}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": form("?", "a")}, RequestState: long}, nil
		})
	})
	if got, _ := call(t, legs(t, serve(t, asks), everything()), "ask", nil, nil, ""); got != internal {
		t.Errorf("a state that is long: got %s, want %s", got, internal)
	}
	if strings.Contains(logged.String(), "a secret") {
		t.Errorf("the log has what the codec panicked with: %s", logged.String())
	}
}
