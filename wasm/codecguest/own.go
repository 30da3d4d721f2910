package main

import (
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/internal/codecwire"
)

// ownCodec stands for a codec that the host has and that may take its time. A
// call that needs it ends with what is to be opened or sealed, as its answer's
// first and only field. The host makes the same call again and brings, as the
// request's last field, what its codec made of that. Nothing is kept between the
// two. In every other answer the first field is absent.
type ownCodec struct {
	brought []byte // what the codec made; nil if it was not asked yet
	asked   []byte // what it is to open or seal; nil if it is not needed
}

var errAsked = &codec.Error{Code: refusal.Options, Detail: "the host's codec has its turn"}

// Seal gives the host the plaintext, or takes the token from it.
func (o *ownCodec) Seal(plaintext, _ []byte) (string, error) {
	if o.brought == nil {
		o.asked = append([]byte{}, plaintext...)
		return "", errAsked
	}
	return string(o.brought), nil
}

// Open gives the host the token, or takes the plaintext from it.
func (o *ownCodec) Open(token string, _ []byte) ([]byte, error) {
	if o.brought == nil {
		o.asked = append([]byte{}, token...)
		return nil, errAsked
	}
	return o.brought, nil
}

// read reads the last field of a request, which a guard with keys does not have.
func (o *ownCodec) read(r *codecwire.Reader) bool {
	if o != nil {
		o.brought, o.asked = r.Field(), nil
	}
	return r.End()
}

// answer appends the first field of an answer, which a guard with keys does not
// have, and wipes what was carried.
func (o *ownCodec) answer(dst []byte) (answer []byte, asked bool) {
	if o == nil {
		return dst, false
	}
	clear(o.brought)
	if o.asked == nil {
		return codecwire.AppendAbsent(dst), false
	}
	dst = codecwire.AppendField(dst, o.asked)
	clear(o.asked)
	return dst, true
}
