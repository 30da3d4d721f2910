package canon

import (
	"bytes"
	"slices"
)

// encoding/json matches a member to the field of a struct without regard to
// letter case. What a Guard reads or binds must not have another reading behind
// it, so names that such a parser takes for one count as one where that matters.

// AppendLower appends a name in lower case. Beside the letters of ASCII two
// characters fold to one of them.
func AppendLower(dst, name []byte) []byte {
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			dst = append(dst, c|0x20)
		case c == 0xC5 && i+1 < len(name) && name[i+1] == 0xBF: // U+017F, the long s
			dst = append(dst, 's')
			i++
		case c == 0xE2 && i+2 < len(name) && name[i+1] == 0x84 && name[i+2] == 0xAA: // U+212A, the Kelvin sign
			dst = append(dst, 'k')
			i += 2
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// foldsTogether reports whether two of the members have names that fold to one.
func foldsTogether(members []member) bool {
	if len(members) < 2 {
		return false
	}
	size := 0
	for i := range members {
		size += len(members[i].name)
	}
	all := make([]byte, 0, size) // a folded name is never longer
	folded := make([][]byte, len(members))
	for i := range members {
		start := len(all)
		all = AppendLower(all, members[i].name)
		folded[i] = all[start:]
	}
	slices.SortFunc(folded, bytes.Compare)
	for i := 1; i < len(folded); i++ {
		if bytes.Equal(folded[i-1], folded[i]) {
			return true
		}
	}
	return false
}
