package codec

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"

	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/internal/canon"
)

// The methods whose answer may ask for input.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, "Supported Requests".
const (
	methodTool     = "tools/call"
	methodPrompt   = "prompts/get"
	methodResource = "resources/read"
)

// Binding is the request a state belongs to. A state opens only for the same
// request, however its arguments are spelled and ordered.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 5(a) and (c).
type Binding struct {
	Method string // tools/call, prompts/get or resources/read
	Target string // the tool's or prompt's name or the resource's uri, decoded
	// Arguments is the JSON text of the arguments as received; nil where there
	// are none. It is kept until the exchange is over and must not change.
	Arguments []byte
	// Principal is who asks (see [Principal]), nil only without authentication.
	// "" is a principal.
	Principal *string
}

// supports reports whether a state can belong to the method.
func supports(method string) bool {
	return method == methodTool || method == methodPrompt || method == methodResource
}

// digests of a binding: T of the target, A of the arguments, P of the principal.
type digests struct{ target, arguments, principal [sha256.Size]byte }

func (g *Guard) digests(b *Binding) *digests {
	d := new(digests)
	text := make([]byte, 0, 256)
	text = append(text, 'T')
	text = appendSized(text, g.o.Audience)
	text = appendSized(text, b.Method)
	text = appendSized(text, b.Target)
	d.target = sha256.Sum256(text)

	text = append(text[:0], 'A')
	if arguments := bytes.Trim(b.Arguments, " \t\r\n"); b.Method == methodResource || len(arguments) == 0 || string(arguments) == "null" {
		text = append(text, "{}"...)
	} else if canonical, ok := canon.AppendFolded(text, b.Arguments); ok {
		text = canonical
	} else {
		text = append(append(text[:0], 'R'), b.Arguments...)
	}
	d.arguments = sha256.Sum256(text)

	text = append(text[:0], 'P', 0)
	if b.Principal != nil {
		text[1] = 1
		text = appendSized(text, *b.Principal)
	}
	d.principal = sha256.Sum256(text)
	return d
}

// tagSize is how much of the salted hash of a binding a state holds.
const tagSize = 16

// tag binds a state with this salt to a request.
func (d *digests) tag(salt []byte) (tag [tagSize]byte) {
	const name = "parley-guard/1 bind"
	text := make([]byte, 0, len(name)+saltSize+3*sha256.Size)
	text = append(append(text, name...), salt...)
	text = append(append(append(text, d.target[:]...), d.arguments[:]...), d.principal[:]...)
	sum := sha256.Sum256(text)
	copy(tag[:], sum[:])
	return tag
}

// hint is two bytes of each digest, so that the log can say what differed.
func (d *digests) hint() [6]byte {
	return [6]byte{d.target[0], d.target[1], d.arguments[0], d.arguments[1], d.principal[0], d.principal[1]}
}

// check holds a state's claims to the request it came back with.
func (d *digests) check(c *claims) error {
	tag := d.tag(c.salt[:])
	if subtle.ConstantTimeCompare(tag[:], c.tag[:]) == 1 {
		return nil
	}
	switch hint := d.hint(); {
	case hint[0] != c.hint[0] || hint[1] != c.hint[1]:
		return &Error{Code: refusal.Target}
	case hint[2] != c.hint[2] || hint[3] != c.hint[3]:
		return &Error{Code: refusal.Arguments}
	case hint[4] != c.hint[4] || hint[5] != c.hint[5]:
		return &Error{Code: refusal.Principal}
	}
	return &Error{Code: refusal.Forged}
}

// appendSized appends lp(x): the length of text in four bytes, then text.
func appendSized[T string | []byte](dst []byte, text T) []byte {
	n := uint32(len(text))
	return append(append(dst, byte(n>>24), byte(n>>16), byte(n>>8), byte(n)), text...)
}

// keyDigest stands for a key of inputRequests in a state.
func keyDigest(key string) (k [keySize]byte) {
	sum := sha256.Sum256(append([]byte{'K'}, key...))
	copy(k[:], sum[:])
	return k
}

// appendMember appends a member to an object whose first one begins at start.
func appendMember(dst []byte, start int, name, value []byte) []byte {
	if len(dst) > start {
		dst = append(dst, ',')
	}
	dst = append(dst, name...)
	dst = append(dst, ':')
	return append(dst, value...)
}
