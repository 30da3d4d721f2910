// Package message reads the JSON-RPC messages that a transport brings, which may come
// in slices: each is scanned one time, and what is remembered of it is where the
// members stand that the engine looks at.
package message

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Message is one message, and what stood around it in its [Body].
type Message struct {
	limit int // bytes of a member whose text is kept
	start int // where it begins in the body

	json rawjson.Scanner
	utf8 encoding
	end  int // of what was read, in the body

	bad    *rawjson.Error // the first fault of the envelope
	odd    *rawjson.Error // the first fault of the names in the result
	taken  *rawjson.Error // what is wrong with the name at hand of the envelope
	again  Name           // what the result has twice first, of its two types; 0 if neither
	other  bool           // the result has a member that is not looked at
	has    uint64         // members that were found, by Name
	broken uint64         // the same before a fault, of one that is not just cut off
	null   uint64         // those of them that are null
	more   uint64         // those that were found again
	values [count]value
	now    [maxLevel + 2]place
	names  [maxLevel]rawjson.NameSums // by level from 1 on, but for the last
	carry  []byte                     // a name that began in an earlier slice

	whole []byte // the text, nil if it is not kept
	isCut bool   // the body came in slices
	kept  kept

	isCutOff bool          // its end did not come
	behind   bool          // a person would see text before it in its line
	followed bool          // or behind it, or another message beside it
	instead  sentence.Text // what came in place of a message, if more can be said than where it is none
}

// maxName is how long a name may be to be looked at, in bytes: a longer one is
// taken for one that is there once.
const maxName = 64 << 10

// value is where the first member of a name stands.
type value struct {
	from, to int
	kind     byte // its first byte
}

// place is the member at hand of a level.
type place struct {
	name   Name // count for one that is not looked at
	isOpen bool // its value has begun and has not ended
}

// Read is the message that a text is. Texts of members point into it.
func Read(text []byte, limit int) *Message {
	m := &Message{}
	if m.ReadAlone(text, limit) {
		return m
	}
	b := &Body{}
	b.Reset(limit, false)
	b.Close(text)
	if len(b.found) > 1 {
		b.found[0].bad = &rawjson.Error{Offset: b.found[1].start, Reason: "a second message"}
	}
	return b.found[0]
}

// ReadAlone reads a text that is an object and white space, as most are, and reports
// whether this one is.
func (m *Message) ReadAlone(text []byte, limit int) bool {
	from := 0
	for from < len(text) && isSpace(text[from]) {
		from++
	}
	if from == len(text) || text[from] != '{' {
		return false
	}
	m.reset(limit, from, false)
	n, isOver := m.read(text[from:])
	for _, c := range text[from+n:] {
		if !isSpace(c) {
			return false
		}
	}
	if isOver {
		m.close(text[from : from+n])
	}
	return isOver
}

// reset makes the message ready for a text that begins at start of its body, of which
// it keeps the texts of members that are no longer than limit, in bytes. Nobody may
// use the last one any more.
func (m *Message) reset(limit, start int, isCut bool) {
	m.limit, m.start, m.end, m.isCut = limit, start, start, isCut
	m.json = rawjson.Scanner{Levels: 1, Base: start}
	m.utf8 = encoding{}
	m.bad, m.odd, m.taken, m.again, m.other = nil, nil, nil, 0, false
	m.has, m.null, m.broken, m.more = 0, 0, 0, 0
	m.now = [maxLevel + 2]place{}
	for i := range m.names {
		m.names[i].Reset()
	}
	m.carry, m.whole, m.kept = nil, nil, kept{from: start}
	m.isCutOff, m.behind, m.followed, m.instead = false, false, false, ""
}

// read reads on in a slice, and returns how much of it belongs to the message: all
// of it once there is a fault. Most are ASCII, and need not be looked at twice.
func (m *Message) read(slice []byte) (n int, isOver bool) {
	m.json.Other = false
	n, isOver = m.scan(slice)
	if m.bad != nil && !m.isNoObject() {
		n = len(slice)
	}
	m.end += n
	slice = slice[:n]
	if m.json.Other || m.bad != nil || m.utf8.n > 0 {
		m.utf8.add(slice)
	}
	if m.isCut {
		m.kept.add(m, slice)
	}
	return n, isOver
}

// isNoObject reports whether there is a fault before the first name: a brace that
// begins something else than JSON.
func (m *Message) isNoObject() bool { return m.bad != nil && m.json.From == m.start }

// close ends the message. The text is that of one that did not come in slices.
func (m *Message) close(text []byte) {
	if m.isCut {
		text = m.kept.text()
	}
	m.whole = text
	if m.bad != nil {
		m.broken = m.has
	} else {
		m.bad = m.json.Finish()
		m.isCutOff = m.bad != nil
	}
	if m.bad != nil { // what came before is of no use
		m.has = 0
	}
	m.forgetAbsent()
}

// scan reads on in a slice up to the end of the object, or to a fault.
func (m *Message) scan(slice []byte) (n int, isOver bool) {
	base := m.end
	for i := 0; m.bad == nil; {
		var stop rawjson.Stop
		i, stop = m.json.Scan(slice, i)
		switch level := m.json.Depth(); stop {
		case rawjson.StopPart:
			if m.json.InName() && level <= m.json.Levels && len(m.carry) <= maxName {
				m.carry = append(m.carry, slice[max(m.json.From-base, 0):]...)
			}
			return len(slice), false
		case rawjson.StopFault:
			m.bad = m.json.Err
			return i, false
		case rawjson.StopName:
			token := slice[max(m.json.From-base, 0):i]
			long := base+i-m.json.From > maxName
			if m.json.From < base && !long {
				token = append(m.carry, token...)
			}
			m.carry = nil
			if m.now[level].name = count; long {
				m.taken = nil
			} else {
				m.name(level, token)
			}
		case rawjson.StopBegin:
			m.begin(level, base+i, slice[i])
		case rawjson.StopEnd:
			if level == 0 {
				return i, true
			}
			m.ended(level, base+i, slice[:i])
		}
	}
	return len(slice), false
}

// name takes a member's name.
func (m *Message) name(level int, token []byte) {
	text, ok := rawjson.NameText(token)
	bad := m.odd
	switch {
	case !ok:
		bad = rawjson.NotUnicode()
	case level == 1 || level == 2 && m.odd == nil:
		bad = m.names[level].Add(text)
	}
	switch {
	case level == 1:
		m.taken = bad
	case level == 2 && m.odd == nil:
		m.odd = bad
	}
	n := count
	if ok {
		n = find(level, text)
	}
	if n < count && m.has>>n&1 == 1 {
		m.more |= 1 << n
		if m.again == 0 && (n == ResultType || n == ResultTypeDraft) {
			m.again = n
		}
		n = count
	}
	m.now[level].name = n
	m.other = m.other || level == 2 && n == count
}

// begin takes the first byte of a value.
func (m *Message) begin(level, offset int, first byte) {
	if level == 0 {
		return
	}
	n := m.now[level].name
	if n == count {
		return
	}
	m.now[level].isOpen = true
	m.values[n] = value{from: offset, kind: first}
	if first == '{' && (n == Result || n == TaskResult) {
		m.json.Levels = level + 1
	}
}

// ended takes the end of a value; slice is up to there.
func (m *Message) ended(level, offset int, slice []byte) {
	if level == 1 && m.taken != nil { // told after what is wrong with the value
		m.bad = m.taken
		return
	}
	n := m.now[level].name
	if n == count {
		return
	}
	m.now[level].isOpen = false
	m.values[n].to = offset
	m.has |= 1 << n
	if m.values[n].kind == 'n' {
		m.null |= 1 << n
	}
	m.json.Levels = level
	if m.isCut {
		m.kept.end(m, level, n, slice)
	}
}
