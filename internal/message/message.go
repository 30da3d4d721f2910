// Package message reads one JSON-RPC message of the server, which may come in
// slices: it is scanned one time, and what is remembered of it is where the
// members stand that the engine looks at.
package message

import "github.com/parley-mcp/parley/rawjson"

// Message is one message. It is ready for the first slice after Reset.
type Message struct {
	limit int // bytes of a member whose text is kept

	json  rawjson.Scanner
	utf8  encoding
	first byte // of the text that is no space, 0 before it came
	size  int  // of what was read

	bad    *rawjson.Error // the first fault of the envelope
	odd    *rawjson.Error // the first fault of the names in the result
	taken  *rawjson.Error // what is wrong with the name at hand of the envelope
	again  Name           // what the result has twice first, of its two types; 0 if neither
	other  bool           // the result has a member that is not looked at
	has    uint64         // members that were found, by Name
	null   uint64         // those of them that are null
	more   uint64         // those that were found again
	values [count]value
	now    [maxLevel + 2]place
	names  [maxLevel]rawjson.NameSums // by level from 1 on, but for the last
	carry  []byte                     // a name that began in an earlier slice

	whole []byte // the text, nil if it is not kept
	isCut bool   // there were slices before the last one
	kept  kept
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
	m.Reset(limit)
	m.Close(text)
	return m
}

// Reset makes the message ready for another text, of which it keeps the texts of
// members that are no longer than limit, in bytes. Nobody may use the last one
// any more.
func (m *Message) Reset(limit int) {
	m.limit = limit
	m.json = rawjson.Scanner{Levels: 1}
	m.utf8, m.first, m.size = encoding{}, 0, 0
	m.bad, m.odd, m.taken, m.again, m.other, m.has, m.null, m.more = nil, nil, nil, 0, false, 0, 0, 0
	m.now = [maxLevel + 2]place{}
	for i := range m.names {
		m.names[i].Reset()
	}
	m.carry, m.whole, m.isCut, m.kept = nil, nil, false, kept{}
}

// Add reads a slice that others follow. What is kept of it is copied.
func (m *Message) Add(slice []byte) {
	m.isCut = true
	m.read(slice)
	m.kept.add(m, slice)
}

// Close reads the last slice. If it is the only one, texts of members point into
// it.
func (m *Message) Close(slice []byte) {
	if m.isCut {
		m.Add(slice)
		m.whole = m.kept.text()
	} else {
		m.read(slice)
		m.whole = slice
	}
	if m.bad == nil && m.has == 0 && m.json.Depth() == 0 && m.first != '{' {
		m.bad = &rawjson.Error{Offset: m.size, Reason: "expected an object"}
	}
	if m.bad == nil {
		m.bad = m.json.Finish()
	}
	if m.bad != nil { // what came before is of no use
		m.has = 0
	}
	m.forgetAbsent()
}

// read reads a slice. Most are ASCII, and need not be looked at twice.
func (m *Message) read(slice []byte) {
	m.json.Other = false
	m.scan(slice)
	if m.json.Other || m.bad != nil || m.utf8.n > 0 {
		m.utf8.add(slice)
	}
}

func (m *Message) scan(slice []byte) {
	for i := 0; m.first == 0 && i < len(slice); i++ {
		if slice[i] > ' ' {
			m.first = slice[i]
		}
	}
	base := m.size
	m.size += len(slice)
	for i := 0; m.bad == nil; {
		var stop rawjson.Stop
		i, stop = m.json.Scan(slice, i)
		switch level := m.json.Depth(); stop {
		case rawjson.StopPart:
			if m.json.InName() && level <= m.json.Levels && len(m.carry) <= maxName {
				m.carry = append(m.carry, slice[max(m.json.From-base, 0):]...)
			}
			return
		case rawjson.StopFault:
			m.bad = m.json.Err
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
			if level > 0 {
				m.end(level, base+i, slice[:i])
			}
		}
	}
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
		if first != '{' {
			m.bad = &rawjson.Error{Offset: offset, Reason: "expected an object"}
		}
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

// end takes the end of a value; slice is up to there.
func (m *Message) end(level, offset int, slice []byte) {
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
