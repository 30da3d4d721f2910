package store

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// kept is what stands in the file of a snapshot: a line of text, what is said
// about the call, and the snapshot, the last two as they were sealed.
//
//	parley-call/1 MICROSECONDS TAG LENGTH-OF-ABOUT
//
// They are one file, so that neither is ever there without the other.
type kept struct {
	at              int64 // of the Save, in Unix microseconds; 0 if that cannot be made out
	tag             string
	about, snapshot []byte
}

const (
	keptBy     = "parley-call/"
	keptLayout = keptBy + "1"
	noTag      = "-"

	// maxHead is how much of a file there may be before its snapshot, and more:
	// an About is sealed in less than twice its length.
	maxHead = 256 + 2*MaxAbout
)

func (k kept) text() []byte {
	tag := k.tag
	if tag == "" {
		tag = noTag
	}
	text := fmt.Appendf(make([]byte, 0, 128+len(k.about)+len(k.snapshot)), "%s %d %s %d\n", keptLayout, k.at, tag, len(k.about))
	return append(append(text, k.about...), k.snapshot...)
}

// readKept reads a file, or as much of it as there is before the snapshot. A
// snapshot alone is what versions before this layout wrote.
func readKept(data []byte) (k kept, err error) {
	if !bytes.HasPrefix(data, []byte(keptBy)) {
		return kept{snapshot: data}, nil
	}
	line, _, whole := bytes.Cut(data[:min(len(data), 256)], []byte("\n"))
	words := strings.Split(string(line), " ")
	if words[0] != keptLayout {
		return kept{}, ErrLayout
	}
	if whole && len(words) == 4 {
		at, errAt := strconv.ParseInt(words[1], 10, 64)
		length, errLength := strconv.Atoi(words[3])
		rest := data[len(line)+1:]
		if errAt == nil && errLength == nil && at >= 0 && at < 1e18 && length >= 0 && length <= len(rest) && (words[2] == noTag || isTag(words[2])) {
			return kept{at, strings.TrimPrefix(words[2], noTag), rest[:length], rest[length:]}, nil
		}
	}
	return kept{}, errDamaged
}

var errDamaged = errors.New("store: its file is damaged")

// isTag reports whether a text is a principal's tag, which becomes a name of a
// folder.
func isTag(text string) bool {
	ok := len(text) == 32
	for i := 0; ok && i < len(text); i++ {
		ok = text[i] >= '0' && text[i] <= '9' || text[i] >= 'a' && text[i] <= 'f'
	}
	return ok
}
