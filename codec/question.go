package codec

import (
	"crypto/sha256"

	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/internal/canon"
	"github.com/parley-mcp/parley/rawjson"
)

// Question is an entry of inputRequests.
type Question struct {
	Key    string
	Method string
	Params []byte // JSON text; nil for none
}

// Digest stands for the question: its key, and its method and params without
// params._meta, however they are spelled and ordered. Digests of answers kept
// from earlier rounds belong in the handler's state: an answer to another
// question must not be used.
//
// It fails with [refusal.Result] on params without a canonical form, such as ones
// with a member twice or nested too deep.
func (q Question) Digest() (digest [16]byte, err error) {
	text := make([]byte, 0, 512)
	text = append(text, 'Q')
	text = appendSized(text, q.Key)
	entry := make([]byte, 0, 256)
	entry = append(entry, `{"method":`...)
	entry = rawjson.AppendQuoted(entry, q.Method)
	if len(q.Params) > 0 {
		entry = append(entry, `,"params":`...)
		if entry, err = appendWithoutMeta(entry, q.Params); err != nil {
			return digest, err
		}
	}
	text, ok := canon.Append(text, append(entry, '}'))
	if !ok {
		return digest, &Error{Code: refusal.Result, Minting: true, Detail: "a question has no canonical form"}
	}
	sum := sha256.Sum256(text)
	copy(digest[:], sum[:])
	return digest, nil
}

// appendWithoutMeta appends params without a member _meta.
func appendWithoutMeta(dst, params []byte) ([]byte, error) {
	params, bad := rawjson.Value(params)
	if bad != nil {
		return dst, &Error{Code: refusal.Result, Minting: true, Detail: "a question's params are not JSON"}
	}
	if !rawjson.IsObject(params) {
		return append(dst, params...), nil
	}
	dst = append(dst, '{')
	start := len(dst)
	var m rawjson.Members
	for m.Start(params); m.Next(); {
		if m.Is("_meta") {
			continue
		}
		dst = appendMember(dst, start, m.Name, m.Value)
	}
	return append(dst, '}'), nil
}
