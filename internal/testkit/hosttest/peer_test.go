package hosttest_test

import (
	"fmt"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// A peer answers the leg that it is asked for, with the id of the request.
func TestPeer(t *testing.T) {
	peer := hosttest.NewPeer(hosttest.ScriptedAnswers(3)...)
	for i, id := range []string{"1", "22", "33", `"a"`} {
		for leg := range 3 {
			request := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"get_weather"`, id)
			if leg > 0 {
				request += hosttest.ScriptedAnswer(leg, 3) // as a client gives the state back
			}
			want := `{"jsonrpc":"2.0","id":` + id + `,"result":` + hosttest.ScriptedAnswer(leg+1, 3) + `}`
			if got := string(peer.Answer([]byte(request))); got != want {
				t.Errorf("request %d, leg %d: got %s, want %s", i, leg+1, got, want)
			}
		}
	}
}

// What is measured beside a peer is not the peer.
func TestPeerAllocatesNothing(t *testing.T) {
	peer := hosttest.NewPeer(hosttest.ScriptedAnswers(2)...)
	requests := [][]byte{
		[]byte(`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"get_weather"}}`),
		[]byte(`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"get_weather"},"was":` + hosttest.ScriptedAnswer(1, 2) + `}`),
	}
	if got := testing.AllocsPerRun(100, func() {
		for _, request := range requests {
			peer.Answer(request)
		}
	}); got > 0 {
		t.Errorf("got %v allocations for two answers, want none", got)
	}
}
