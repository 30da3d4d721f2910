package message

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Body is what a transport brings at once: a line, the body of a response or the
// data of an event. Its messages are the JSON objects in it that are one, and what
// stands between them is skipped. It is ready for the first slice after Reset.
//
// An object that is broken may hold others, which are data: behind a fault nothing is
// looked at any more. Text may quote messages, as logs do: one behind text counts only
// if it is a response, ends its line and is the only one there.
type Body struct {
	limit   int
	isLine  bool
	isCut   bool
	isNoisy bool // there is more in it than messages
	size    int  // of what was read
	head    []byte
	objects int

	between between
	now     *Message // that is being read, nil between them
	last    *Message // the last one in the line at hand, with nothing behind it yet; nil if none
	quotes  bool     // there is one behind text in that line
	bad     *Message // an object that is no message, nil if there is none
	found   []*Message

	first Message // the memory of what most bodies have
	one   [1]*Message
}

// maxObjects is how many objects of a body are looked at: each costs something,
// however short it is.
const maxObjects = 1024

// maxHead is how much is kept of a text that is no JSON object, in bytes.
const maxHead = 4 << 10

// Reset makes the body ready for another text, of whose messages it keeps the texts
// of members that are no longer than limit, in bytes. isLine says that it comes from
// what a program writes: nothing that a line says is about the next. Nobody may use its messages
// any more.
func (b *Body) Reset(limit int, isLine bool) {
	b.limit, b.isLine, b.isCut, b.isNoisy, b.size, b.objects = limit, isLine, false, false, 0, 0
	b.between = between{}
	b.now, b.last, b.quotes, b.bad, b.found, b.one[0], b.head = nil, nil, false, nil, nil, nil, nil
}

// Add reads a slice that others follow. What is kept of it is copied.
func (b *Body) Add(slice []byte) {
	b.isCut = true
	b.keep(slice)
	b.read(slice)
}

// keep keeps the beginning of the text.
func (b *Body) keep(slice []byte) {
	slice = slice[:min(len(slice), maxHead-len(b.head))]
	if b.isCut {
		b.head = append(b.head, slice...)
	} else {
		b.head = slice
	}
}

// Close reads the last slice. If it is the only one, texts of members point into it.
func (b *Body) Close(slice []byte) {
	b.keep(slice)
	b.read(slice)
	if m := b.now; m != nil {
		m.close(slice[min(m.start, len(slice)):])
		b.bad, b.now = m, nil
		b.noise()
	}
	b.dropQuoted()
	if len(b.found) > 0 {
		return
	}
	if b.bad == nil {
		b.bad = b.fresh()
		b.bad.reset(b.limit, 0, b.isCut)
		b.bad.end = b.size
		b.bad.bad = &rawjson.Error{Offset: b.between.from, Reason: "expected an object"}
	}
	if b.bad.instead = b.between.name(b.isLine); b.IsBlank() {
		b.bad.instead = "it is empty"
	}
	b.found = append(b.one[:0], b.bad)
}

// Found are the messages, or what there is in place of one, for which Err is not nil.
func (b *Body) Found() []*Message { return b.found }

// Bad is an object in it that is no message, nil if there is none.
func (b *Body) Bad() *Message { return b.bad }

// IsNoisy reports whether there is something beside the messages that a person would
// see.
func (b *Body) IsNoisy() bool { return b.isNoisy }

// IsText reports whether there is no object in it.
func (b *Body) IsText() bool { return b.objects == 0 }

// IsBlank reports whether there is nothing that a person would see.
func (b *Body) IsBlank() bool { return !b.isNoisy && b.objects == 0 && !b.between.isList }

// Object is the text of the one object in it, nil if there is something else but
// white space or if it is too long to be kept.
func (b *Body) Object() []byte {
	m := b.found[0]
	if b.objects != 1 || b.between.n > 0 || b.between.to > m.start || m.Size() > b.limit {
		return nil
	}
	return m.whole
}

// Text is the one object in it, or the first 4 KiB of what it is in place of that.
func (b *Body) Text() []byte {
	if object := b.Object(); object != nil {
		return object
	}
	return b.head
}

// Answer is the response in a body that answers one request.
func (b *Body) Answer() *Message {
	answer := b.found[0]
	for _, m := range b.found[1:] {
		switch {
		case m.Has(Method):
		case answer.Has(Method):
			answer = m
		case !m.Equal(answer):
			answer.bad = &rawjson.Error{Offset: m.start, Reason: "a second response"}
		}
	}
	return answer
}

func (b *Body) read(slice []byte) {
	base := b.size
	for i := 0; i < len(slice); {
		if b.now == nil {
			i = b.skip(slice, i)
			continue
		}
		n, isOver := b.now.read(slice[i:])
		i += n
		switch m := b.now; {
		case isOver:
			b.over(slice[max(m.start-base, 0):i])
		case m.isNoObject():
			b.now = nil
			b.objects--
			b.brace(m.start)
		}
	}
	b.size += len(slice)
}

// skip looks for an object from text[i] on, and returns where it begins.
func (b *Body) skip(text []byte, i int) int {
	for ; i < len(text); i++ {
		c := text[i]
		if c == '{' {
			next := i + 1
			for next < len(text) && isSpace(text[next]) {
				next++
			}
			if b.objects < maxObjects && (next == len(text) || text[next] == '"' || text[next] == '}') {
				b.begin(b.size + i)
				return i
			}
			b.brace(b.size + i)
			i = next - 1
			continue
		}
		if b.between.see(c, b.size+i) {
			b.noise()
		}
		if c == '\n' || c == '\r' {
			b.last, b.quotes = nil, false
			b.between.isText = b.between.isText && !b.isLine
		}
	}
	return i
}

// begin takes the beginning of an object.
func (b *Body) begin(at int) {
	m := b.fresh()
	m.reset(b.limit, at, b.isCut)
	m.behind = b.between.isText
	b.objects++
	b.now = m
}

// brace takes one that begins no object, with the white space behind it.
func (b *Body) brace(at int) {
	b.between.see('{', at)
	b.noise()
}

// over takes the end of an object.
func (b *Body) over(text []byte) {
	m := b.now
	b.now = nil
	m.close(text)
	b.between.isOver = true
	b.follow()
	if m.Err(false) != nil && m.Err(true) != nil {
		b.bad = m
		b.noise()
		return
	}
	m.followed = b.quotes
	b.quotes = b.quotes || m.behind
	if b.last = m; b.found == nil {
		b.found = b.one[:0]
	}
	b.found = append(b.found, m)
}

// noise notes that something is in the line which is no message.
func (b *Body) noise() {
	b.isNoisy, b.between.isText = true, true
	b.follow()
}

// follow notes that something stands behind the last message in its line.
func (b *Body) follow() {
	if b.last != nil {
		b.last.followed = true
		b.last = nil
	}
}

// fresh is a message to read into.
func (b *Body) fresh() *Message {
	if len(b.found) == 0 && b.bad != &b.first {
		return &b.first
	}
	return &Message{}
}

// dropQuoted drops messages that may only be quoted.
func (b *Body) dropQuoted() {
	kept := b.found[:0]
	for _, m := range b.found {
		if m.behind && (m.followed || m.Has(Method)) {
			m.bad, m.has = &rawjson.Error{Offset: m.start, Reason: "it stands behind other text"}, 0
			b.bad, b.isNoisy = m, true
		} else {
			kept = append(kept, m)
		}
	}
	b.found = kept
}

// between is what is known of what stands around the messages.
type between struct {
	head   [6]byte // what the body begins with, but for white space and if it is no object
	n      int8
	isOver bool // there is no more of it
	from   int  // where it stands
	to     int  // where the last of what is no white space ends
	escape byte // '[' or ']' in a sequence that controls a terminal, ESC at its beginning, else 0
	isText bool // a person would see some of it before what comes next
	isList bool // there is what JSON puts around and between the elements of an array
}

// see takes a byte, and reports whether it is text. What makes a batch of messages is
// not.
func (s *between) see(c byte, at int) bool {
	if !isSpace(c) {
		s.to = at + 1
	}
	if !s.isOver && !isSpace(c) {
		if s.n == 0 {
			s.from = at
		}
		s.head[s.n] = c
		s.n++
		s.isOver = int(s.n) == len(s.head)
	}
	const esc, bell = 0x1B, 0x07
	switch s.escape {
	case esc:
		if s.escape = 0; c == '[' || c == ']' {
			s.escape = c
		}
		return false
	case '[':
		if c >= '@' && c <= '~' {
			s.escape = 0
		}
		return false
	case ']':
		if c == bell {
			s.escape = 0
		} else if c == esc { // and a backslash
			s.escape = esc
		}
		return false
	}
	switch c {
	case esc:
		s.escape = esc
		return false
	case '[', ']', ',':
		s.isList = true
		return false
	case 0x7F, 0xEF, 0xBB, 0xBF, 0xC2, 0x85, 0xA0: // U+FEFF is a byte order mark; U+0085 and U+00A0 are spaces
		return false
	}
	return c > ' '
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// name is what a line or another body is in place of a message, "" if that cannot be
// told.
func (s *between) name(isLine bool) sentence.Text {
	head := string(s.head[:s.n])
	begins := func(with string) bool { return len(head) >= len(with) && head[:len(with)] == with }
	switch {
	case begins("<"):
		return "it looks like HTML"
	case begins("\xff\xfe\x00\x00"), begins("\x00\x00\xfe\xff"):
		return "it begins with a UTF-32 byte order mark, and must be UTF-8"
	case begins("\xff\xfe"), begins("\xfe\xff"):
		return "it begins with a UTF-16 byte order mark, and must be UTF-8"
	case isLine:
	case begins("data:"), begins("event:"), begins("id:"), begins("retry:"), begins(":"):
		return "it is an event stream, but its Content-Type does not say so"
	}
	return ""
}
