package seal

import (
	"sync"

	"github.com/parley-mcp/parley/codec"
)

// SwapCodec is a [codec.Codec] that can be replaced while it is in use, which is
// how a server rotates its keys without a restart or a failed round: under a
// [codec.Guard], Swap in a codec of the new key ring.
//
// All instances of a server go through the same three steps, each step on all
// of them before the next: accept the new key, mint with it, and drop the old
// one when the last state minted with it has expired. See [AcceptKey].
type SwapCodec struct {
	mu      sync.RWMutex
	current codec.Codec
}

// NewSwapCodec starts with c.
func NewSwapCodec(c codec.Codec) *SwapCodec { return &SwapCodec{current: c} }

// Swap makes c the codec of every call from now on. It returns the previous one
// once nobody uses it any more, so that it can be closed.
func (s *SwapCodec) Swap(c codec.Codec) (before codec.Codec) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.current = s.current, c
	return before
}

// Seal implements [codec.Codec].
func (s *SwapCodec) Seal(plaintext, context []byte) (token string, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.current.Seal(plaintext, context)
}

// Open implements [codec.Codec].
func (s *SwapCodec) Open(token string, context []byte) (plaintext []byte, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.current.Open(token, context)
}
