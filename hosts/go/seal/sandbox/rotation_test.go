package sandbox_test

import (
	"crypto/rand"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/codectest"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/seal/sandbox"
)

func TestSwapCodec(t *testing.T) {
	of := func(keys []byte) *seal.SwapCodec {
		ring, err := codec.ParseKeyRing(keys)
		check(t, err)
		c, err := codec.NewAEAD(ring, codec.CodecOptions{})
		check(t, err)
		return seal.NewSwapCodec(c)
	}
	codectest.Run(t, of(newKeys(t, codec.SuiteXChaCha)), of(newKeys(t, codec.SuiteXChaCha)), codec.DefaultMaxToken)
}

// TestRotation takes two instances of a server, one natively and one in the
// sandbox, through the three steps while clients go on with their calls on
// either. No round fails, and in the end the old key opens nothing.
func TestRotation(t *testing.T) {
	rt := newRuntime(t, sandbox.RuntimeOptions{})
	makes := []func(keys []byte) codec.Codec{
		func(keys []byte) codec.Codec {
			ring, err := codec.ParseKeyRing(keys)
			check(t, err)
			c, err := codec.NewAEAD(ring, codec.CodecOptions{})
			check(t, err)
			return c
		},
		func(keys []byte) codec.Codec {
			c, err := rt.NewCodec(keys, codec.CodecOptions{}, codec.Env{})
			check(t, err)
			return c
		},
	}
	file := newKeys(t, codec.SuiteXChaCha)
	old := ids(t, file)[0]
	var codecs []*seal.SwapCodec
	var guards []*codec.Guard
	for _, make := range makes {
		c := seal.NewSwapCodec(make(file))
		g, err := codec.NewGuard(codec.GuardOptions{Codec: c, Audience: "test", Env: codec.Env{Rand: rand.Reader, Now: time.Now}, MaxRounds: 255})
		check(t, err)
		codecs, guards = append(codecs, c), append(guards, g)
	}
	t.Cleanup(func() {
		for _, c := range codecs {
			shut(t, c.Swap(nil))
		}
	})

	var flows [4]atomic.Int64 // of each client
	var clients sync.WaitGroup
	stop := make(chan struct{})
	for client := range flows {
		clients.Go(func() {
			for {
				token := ""
				for leg := range 10 { // a flow, whose rounds are served in turn
					opened, x, err := guards[(client+leg)%2].Inbound("tools/call", params(token), nil)
					if err != nil {
						t.Errorf("leg %d: %v", leg, err)
						return
					}
					if leg > 0 && !strings.Contains(string(opened), "the state") {
						t.Errorf("leg %d: the state is lost", leg)
						return
					}
					result, err := guards[(client+leg)%2].Outbound(x, []byte(`{"resultType":"input_required","requestState":"the state"}`))
					if err != nil {
						t.Errorf("leg %d: %v", leg, err)
						return
					}
					token = stateOf(t, result)
				}
				flows[client].Add(1)
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	// wait until every client has ended the flow it is in, and another one: then
	// no state is under way that was minted before.
	wait := func() {
		for client := range flows {
			for until := flows[client].Load() + 2; flows[client].Load() < until && !t.Failed(); {
				time.Sleep(time.Millisecond)
			}
		}
	}
	deploy := func(keys []byte) {
		for i, c := range codecs {
			shut(t, c.Swap(makes[i](keys)))
			wait() // with one instance a step behind the other
		}
	}
	wait()
	kept, err := codecs[0].Seal([]byte("of the old key"), nil)
	check(t, err)
	accepted, added, err := seal.AcceptKey(file, codec.SuiteXChaCha)
	check(t, err)
	deploy(accepted)
	active, err := seal.ActivateKey(accepted, added)
	check(t, err)
	deploy(active)
	if _, err := codecs[1].Open(kept, nil); err != nil {
		t.Errorf("before the old key is dropped: %v", err)
	}
	dropped, err := seal.DropKey(active, old)
	check(t, err)
	deploy(dropped)
	close(stop)
	clients.Wait()
	for i, c := range codecs {
		if _, err := c.Open(kept, nil); err == nil || !strings.Contains(err.Error(), "unknown key") {
			t.Errorf("instance %d: what the old key sealed: got %v", i, err)
		}
	}
}

// shut closes a codec that was swapped out, which nobody may use any more.
func shut(t testing.TB, c codec.Codec) {
	t.Helper()
	if c, ok := c.(io.Closer); ok {
		check(t, c.Close())
	}
}
