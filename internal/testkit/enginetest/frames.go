package enginetest

import (
	"encoding/binary"

	"github.com/parley-mcp/parley/rawjson"
)

// Raw names the members that are raw: strings in the notation, spans in a frame.
// wasm/ABI.md, Frames.
type Raw map[string]bool

// RequestRaw and AnswerRaw are those of requests and of answers. None of them is
// the name of a text in the same direction.
func RequestRaw() Raw {
	return raw("params", "capabilities", "clientInfo", "snapshot", "body", "raw", "request", "schema", "typed", "value")
}

func AnswerRaw() Raw {
	return raw("params", "capabilities", "serverInfo", "snapshot", "body", "request", "result", "error", "next", "earlier", "entry", "defaults")
}

func raw(names ...string) Raw {
	r := Raw{}
	for _, name := range names {
		r[name] = true
	}
	return r
}

// Frame is the frame of a payload that is in the notation of the scripts. It knows
// nothing but the names, as a host in another language would. What is no JSON is
// the head as it is, for the module to refuse.
func (r Raw) Frame(text []byte) []byte {
	var blobs []byte
	head := text
	if rawjson.Valid(text) {
		head = r.rewrite(nil, text, func(dst, value []byte) []byte {
			if !rawjson.IsString(value) {
				return append(dst, value...)
			}
			at := len(blobs)
			more, ok := rawjson.AppendUnquoted(blobs, value)
			if !ok {
				return append(dst, value...)
			}
			blobs = more
			dst = rawjson.AppendInt(append(dst, '['), int64(at))
			return append(rawjson.AppendInt(append(dst, ','), int64(len(blobs)-at)), ']')
		})
	}
	return append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head...), blobs...)
}

// Text is a frame in the notation of the scripts.
func (r Raw) Text(frame []byte) []byte {
	n := 4 + binary.LittleEndian.Uint32(frame)
	blobs := frame[n:]
	return r.rewrite(nil, frame[4:n], func(dst, value []byte) []byte {
		var span []int
		var e rawjson.Elements
		for e.Start(value); e.Next(); {
			if n, ok := rawjson.Int(e.Value); ok {
				span = append(span, int(n))
			}
		}
		if rawjson.IsString(value) {
			return append(dst, "a raw member is a text"...) // is compared with what it should be
		}
		if len(span) != 2 {
			return append(dst, value...)
		}
		return rawjson.AppendQuoted(dst, blobs[span[0]:span[0]+span[1]])
	})
}

// rewrite copies JSON, but for the values of raw members.
func (r Raw) rewrite(dst, value []byte, rewritten func(dst, value []byte) []byte) []byte {
	switch {
	case rawjson.IsObject(value):
		var m rawjson.Members
		between := byte('{')
		for m.Start(value); m.Next(); between = ',' {
			dst = append(append(append(dst, between), m.Name...), ':')
			if name, _ := rawjson.Unquote(m.Name); r[name] {
				dst = rewritten(dst, m.Value)
			} else {
				dst = r.rewrite(dst, m.Value, rewritten)
			}
		}
		if between == '{' {
			dst = append(dst, '{')
		}
		return append(dst, '}')
	case rawjson.IsArray(value):
		var e rawjson.Elements
		between := byte('[')
		for e.Start(value); e.Next(); between = ',' {
			dst = r.rewrite(append(dst, between), e.Value, rewritten)
		}
		if between == '[' {
			dst = append(dst, '[')
		}
		return append(dst, ']')
	}
	return append(dst, value...)
}
