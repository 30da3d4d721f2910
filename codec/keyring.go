package codec

import "github.com/parley-mcp/parley/codec/refusal"

// KeyRing is the keys a server accepts; the active one mints. It never changes:
// a host that rotates keys makes a new ring and swaps the Codec.
//
// Rotation takes three steps, each on every instance before the next: accept
// the new key, make it active, and drop the old one when the last token minted
// with it has expired.
type KeyRing struct {
	keys []*Key // the active one first
}

// NewKeyRing makes a ring in which active mints and all open. A secret listed
// twice fails, and so do two keys with one id.
func NewKeyRing(active *Key, accept ...*Key) (*KeyRing, error) {
	r := &KeyRing{keys: append([]*Key{active}, accept...)}
	for i, k := range r.keys {
		if k == nil {
			return nil, &Error{Code: refusal.Key, Detail: "a key of the ring is nil"}
		}
		for _, other := range r.keys[:i] {
			if other.id == k.id {
				return nil, &Error{Code: refusal.Key, Detail: "two keys of the ring have the same id (a secret listed twice?)"}
			}
		}
	}
	return r, nil
}

// Active is the key that mints.
func (r *KeyRing) Active() *Key { return r.keys[0] }

// Keys are all keys, the active one first. The slice is the caller's.
func (r *KeyRing) Keys() []*Key { return append([]*Key(nil), r.keys...) }

// Find is the key with this id, or nil.
func (r *KeyRing) Find(id []byte) *Key {
	for _, k := range r.keys {
		if string(k.id[:]) == string(id) {
			return k
		}
	}
	return nil
}
