package codec_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// counted is a codec that any length would do for, and how often it was used.
type counted struct {
	codec.Codec
	opened int
}

func (c *counted) Open(string, []byte) ([]byte, error) {
	c.opened++
	return nil, &codec.Error{Code: refusal.Forged}
}

func (c *counted) Seal([]byte, []byte) (string, error) {
	return strings.Repeat("A", codec.MaxToken+1), nil
}

// A state of 64 MiB is refused before it is unquoted, copied or opened.
func TestLongState(t *testing.T) {
	c := &counted{}
	g := newGuard(t, codec.GuardOptions{Codec: c})
	for name, character := range map[string]string{"plain": "A", "escaped": `\u0041`} {
		t.Run(name, func(t *testing.T) {
			params := fmt.Appendf(nil, `{"name":"x","requestState":"%s"}`, strings.Repeat(character, (64<<20)/len(character)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := g.Inbound("tools/call", params, nil)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, refusal.TooLarge) {
				t.Errorf("got %v, want %v", err, refusal.TooLarge)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<10 {
				t.Errorf("allocated %d bytes for a state that is refused", used)
			}
		})
	}
	long, longest := strings.Repeat("A", codec.MaxToken+1), strings.Repeat("A", codec.MaxToken)
	b := codec.Binding{Method: "tools/call", Target: "x"}
	if _, _, err := g.Open(b, &long, nil); !errors.Is(err, refusal.TooLarge) || c.opened != 0 {
		t.Errorf("a token over the most: got %v, opened %d times", err, c.opened)
	}
	if _, _, err := g.Open(b, &longest, nil); !errors.Is(err, refusal.Forged) || c.opened != 1 {
		t.Errorf("one of the most: got %v, opened %d times", err, c.opened)
	}
	state := "s"
	if _, err := g.Seal(&codec.Exchange{Binding: b}, &state, nil); !errors.Is(err, refusal.TooLarge) {
		t.Errorf("sealing one over the most: got %v, want %v", err, refusal.TooLarge)
	}
}
