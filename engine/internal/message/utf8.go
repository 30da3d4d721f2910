package message

import (
	"unicode/utf8"

	"github.com/parley-mcp/parley/rawjson"
)

// encoding checks that a text that comes in slices is UTF-8.
type encoding struct {
	bad  bool
	n    int // bytes of a character that began in an earlier slice
	rest [utf8.UTFMax]byte
}

func (e *encoding) add(slice []byte) {
	for e.n > 0 && len(slice) > 0 && !e.bad {
		e.rest[e.n] = slice[0]
		e.n++
		slice = slice[1:]
		if utf8.FullRune(e.rest[:e.n]) {
			e.bad = !rawjson.ValidUTF8(e.rest[:e.n])
			e.n = 0
		}
	}
	if e.bad || len(slice) == 0 {
		return
	}
	end := len(slice)
	for back := 1; back < utf8.UTFMax && back <= len(slice); back++ {
		if c := slice[len(slice)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(slice[len(slice)-back:]) {
				end = len(slice) - back
			}
			break
		}
	}
	e.n = copy(e.rest[:], slice[end:])
	e.bad = !rawjson.ValidUTF8(slice[:end])
}

// isValid reports whether what came is a whole text.
func (e *encoding) isValid() bool { return !e.bad && e.n == 0 }
