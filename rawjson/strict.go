package rawjson

import (
	"unicode/utf8"
)

// StrictDepth is how deep a value that the engine interprets may nest.
const StrictDepth = 64

// Strict checks one value that will be shown to a person or acted on: it is
// well-formed, valid UTF-8 without lone surrogates in names, has no duplicate
// member names in any object, nests at most [StrictDepth] levels and has at most
// [MaxValues] values.
func Strict(span []byte) *Error {
	if !ValidUTF8(span) {
		return newError(invalidUTF8(span), "text that is not UTF-8")
	}
	end, err := skip(span, space(span, 0), StrictDepth, &strict{})
	if err != nil {
		return err
	}
	return alone(span, end)
}

// strict is what [Strict] asks for beside the grammar. It has the names of the objects that
// are open, by level; the first levels cost no allocation. An array needs none, and costs
// none. If it is nil, value, deep and unclosed ask for the grammar alone.
type strict struct {
	near   [8]Names
	far    []Names
	values int
}

// value counts a value.
func (s *strict) value() *Error {
	if s == nil {
		return nil
	}
	if s.values++; s.values > MaxValues {
		return newError(-1, tooManyValues)
	}
	return nil
}

// deep is what is wrong with a value that nests too deep.
func (s *strict) deep(i int) *Error {
	if s == nil {
		return newError(i, tooNested)
	}
	return newError(i, tooDeep)
}

// unclosed is [unclosed] in other words.
func (s *strict) unclosed(data []byte, i int, object bool) *Error {
	if s == nil {
		return unclosed(data, i, object)
	}
	return newError(i, "expected a comma or the end of the value")
}

// name takes the name of a member that stands at an offset in an object of a level.
func (s *strict) name(token []byte, at, level int, isFirst bool) *Error {
	names := s.names(level)
	if isFirst {
		names.Reset()
	}
	text, ok := token[1:len(token)-1], true // UTF-8 as all is
	if escaped(text) {
		text, ok = NameText(token)
	}
	if err := names.add(text, ok); err != nil {
		return newError(at, err.Reason)
	}
	return nil
}

func (s *strict) names(level int) *Names {
	if level < len(s.near) {
		return &s.near[level]
	}
	level -= len(s.near)
	for len(s.far) <= level {
		s.far = append(s.far, Names{})
	}
	return &s.far[level]
}

func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// MaxNames is how many members an object that the engine interprets may have.
// It keeps the search for duplicates cheap whatever the names are.
const MaxNames = 512

// MaxValues is how many values there may be in a value that the engine
// interprets, itself and all that is in it. It is read several times, and what
// that takes is a matter of its values more than of its bytes: plain text is
// skipped quickly.
const MaxValues = 1 << 14

const (
	tooMany       = "more than 512 members"
	tooManyValues = "more than 16384 values"
	tooDeep       = "nested deeper than 64 levels"

	duplicate  = "duplicate member name"
	notUnicode = "a member name is not Unicode text"
)

// IsLimit reports whether the text is beyond a bound of this package, and may be
// good JSON.
func (e *Error) IsLimit() bool {
	return e.Reason == tooMany || e.Reason == tooManyValues || e.Reason == tooDeep
}

// Names remembers the member names of one object and finds duplicates. Names
// that differ only in how they are escaped are the same name; names that
// differ in letter case are not. The zero value is ready to use; it keeps the
// tokens it was given.
type Names struct {
	few  [8][]byte
	n    int
	many []uint64 // from the ninth name on, the hashes of all; a map would cost a TinyGo module 4 KB
}

// Reset forgets all names.
func (n *Names) Reset() { n.n, n.many = 0, n.many[:0] }

// Add adds a name's token. It fails if the name was added before, is one too
// many or is not Unicode text; the error has no offset, which the caller knows
// better.
func (n *Names) Add(token []byte) *Error {
	return n.add(NameText(token))
}

func (n *Names) add(name []byte, isText bool) *Error {
	switch {
	case !isText:
		return NotUnicode()
	case n.n == MaxNames:
		return newError(-1, tooMany)
	case n.seen(name):
		return newError(-1, duplicate)
	}
	n.n++
	return nil
}

// seen reports whether the name was added before, and adds it.
func (n *Names) seen(name []byte) bool {
	if n.n < len(n.few) {
		for _, old := range n.few[:n.n] {
			if equal(old, name) {
				return true
			}
		}
		n.few[n.n] = name
		return false
	}
	if len(n.many) == 0 {
		for _, old := range n.few {
			n.many = append(n.many, Hash(old))
		}
	}
	sum := Hash(name)
	for _, old := range n.many {
		if old == sum {
			return true
		}
	}
	n.many = append(n.many, sum)
	return false
}

// NameSums is [Names] for names that do not stay where they are: it keeps their
// hashes alone. The zero value is ready to use.
type NameSums struct {
	few  [16]uint64
	n    int
	many []uint64
}

// Reset forgets all names.
func (n *NameSums) Reset() { n.n, n.many = 0, n.many[:0] }

// Add adds a name's text. It fails if the name was added before or is one too
// many.
func (n *NameSums) Add(text []byte) *Error {
	switch {
	case n.n == MaxNames:
		return newError(-1, tooMany)
	case n.seen(Hash(text)):
		return newError(-1, duplicate)
	}
	return nil
}

func (n *NameSums) seen(sum uint64) bool {
	few := min(n.n, len(n.few))
	for _, old := range n.few[:few] {
		if old == sum {
			return true
		}
	}
	for _, old := range n.many {
		if old == sum {
			return true
		}
	}
	if few < len(n.few) {
		n.few[few] = sum
	} else {
		n.many = append(n.many, sum)
	}
	n.n++
	return false
}

// NotUnicode is what is wrong with a name that [NameText] fails at.
func NotUnicode() *Error { return newError(-1, notUnicode) }

// NameText is a name's text: the token's own bytes where nothing is escaped. It
// fails on what is not Unicode text.
func NameText(token []byte) ([]byte, bool) {
	body := token[1 : len(token)-1]
	if !escaped(body) {
		return body, ValidUTF8(body)
	}
	text, ok := AppendUnquoted(make([]byte, 0, len(body)), token)
	return text, ok && ValidUTF8(text)
}
