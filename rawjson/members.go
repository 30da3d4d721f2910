package rawjson

// Members walks the members of one JSON object in the order of the text:
//
//	var m rawjson.Members
//	for m.Start(data); m.Next(); {
//		if m.Is("method") { … m.Value … }
//	}
//	if m.Err != nil { … }
//
// Values are checked to be well-formed while walking, so a loop that ran to
// its end has read a well-formed object.
type Members struct {
	Name  []byte // the name's token, quotes and escapes as in the text
	Value []byte // the value's span, without white space around it
	Err   *Error // why Next returned false, nil at the end of the object

	data    []byte
	pos     int
	any     bool // a member was read before
	checked bool
}

// Start begins a walk over data, which holds one object and white space. It
// sets m in place: a TinyGo module pays for every copy of a struct.
func (m *Members) Start(data []byte) {
	m.data, m.any, m.checked, m.Err = data, false, false, nil
	m.pos = 1 + space(data, 0)
	if m.pos > len(data) || data[m.pos-1] != '{' {
		m.Err = newError(m.pos-1, "expected an object")
	}
}

// StartChecked is Start for an object whose values that are objects or arrays are
// well-formed, or checked later: what is in them is not looked at.
func (m *Members) StartChecked(data []byte) {
	m.Start(data)
	m.Defer()
}

// Defer makes a walk that has begun go on as one of [Members.StartChecked].
func (m *Members) Defer() { m.checked = true }

// Next moves to the next member. It returns false at the end of the object or
// at the first fault, which is then in Err.
func (m *Members) Next() bool {
	if m.Err != nil || m.pos < 0 {
		return false
	}
	i, found := follow(m.data, m.pos, true, !m.any)
	switch found {
	case atNothing:
		m.Err = unclosed(m.data, i, true)
		return false
	case atEnd:
		m.pos, m.Err = -1, alone(m.data, i)
		return false
	}
	nameEnd, value, err := memberName(m.data, i)
	if err != nil {
		m.Err = err
		return false
	}
	end, err := skipInner(m.data, value, m.checked)
	if err != nil {
		m.Err = err
		return false
	}
	m.Name, m.Value = m.data[i:nameEnd], m.data[value:end]
	m.pos, m.any = end, true
	return true
}

// Is reports whether the current member has exactly this name; see [Is].
func (m *Members) Is(name string) bool { return Is(m.Name, name) }

// step is what follows in an object or array.
type step uint8

const (
	atNothing step = iota // neither of the others, which is a fault
	atNext                // another member or element
	atEnd
)

// follow walks on in an object or array from behind its bracket, if isFirst, or from behind
// a member or element. It returns where the next one begins, or the index just past the end.
func follow(data []byte, i int, object, isFirst bool) (int, step) {
	i = space(data, i)
	switch {
	case i < len(data) && data[i] == closing(object):
		return i + 1, atEnd
	case isFirst:
		return i, atNext
	case i < len(data) && data[i] == ',':
		return space(data, i+1), atNext
	}
	return i, atNothing
}

// alone is what is wrong if there is more than white space behind a value that ends before
// data[i], nil if there is not.
func alone(data []byte, i int) *Error {
	if i = space(data, i); i != len(data) {
		return newError(i, behind)
	}
	return nil
}

// skipInner walks a value in an object or array.
func skipInner(data []byte, i int, checked bool) (end int, err *Error) {
	if checked && i < len(data) && (data[i] == '{' || data[i] == '[') {
		return skipChecked(data, i)
	}
	return skip(data, i, MaxDepth-1, nil)
}

// Elements walks the elements of one JSON array, like [Members] an object.
type Elements struct {
	Value []byte // the element's span, without white space around it
	Err   *Error // why Next returned false, nil at the end of the array

	data    []byte
	pos     int
	any     bool
	checked bool
}

// Start begins a walk over data, which holds one array and white space.
func (e *Elements) Start(data []byte) {
	e.data, e.any, e.checked, e.Err = data, false, false, nil
	e.pos = 1 + space(data, 0)
	if e.pos > len(data) || data[e.pos-1] != '[' {
		e.Err = newError(e.pos-1, "expected an array")
	}
}

// StartChecked is as that of [Members].
func (e *Elements) StartChecked(data []byte) {
	e.Start(data)
	e.checked = true
}

// Next moves to the next element. It returns false at the end of the array or
// at the first fault, which is then in Err.
func (e *Elements) Next() bool {
	if e.Err != nil || e.pos < 0 {
		return false
	}
	i, found := follow(e.data, e.pos, false, !e.any)
	switch found {
	case atNothing:
		e.Err = newError(i, noElement)
		return false
	case atEnd:
		e.pos, e.Err = -1, alone(e.data, i)
		return false
	}
	end, err := skipInner(e.data, i, e.checked)
	if err != nil {
		e.Err = err
		return false
	}
	e.Value, e.pos, e.any = e.data[i:end], end, true
	return true
}

// IsObject reports whether span begins an object; a span comes from [Members],
// [Elements] or [Value] and has no leading space.
func IsObject(span []byte) bool { return len(span) > 0 && span[0] == '{' }

// IsArray reports whether span begins an array.
func IsArray(span []byte) bool { return len(span) > 0 && span[0] == '[' }

// IsString reports whether span begins a string.
func IsString(span []byte) bool { return len(span) > 0 && span[0] == '"' }

// IsNumber reports whether span begins a number.
func IsNumber(span []byte) bool {
	return len(span) > 0 && (span[0] == '-' || span[0] >= '0' && span[0] <= '9')
}

// Member is the value of the member of an object that has exactly this name,
// nil if it has none or is no object. encoding/json would also accept a name in
// another letter case, which the engine has not looked at.
func Member(object []byte, name string) []byte {
	if !IsObject(object) {
		return nil
	}
	var m Members
	for m.Start(object); m.Next(); {
		if m.Is(name) {
			return m.Value
		}
	}
	return nil
}

// Lists reports whether an array has a string; no other value has any.
func Lists(array []byte, text string) bool {
	var e Elements
	for e.Start(array); e.Next(); {
		if Is(e.Value, text) {
			return true
		}
	}
	return false
}

// Only reports whether an object has no members other than these.
func Only(object []byte, names ...string) bool {
	var m Members
	for m.Start(object); m.Next(); {
		known := false
		for _, name := range names {
			known = known || m.Is(name)
		}
		if !known {
			return false
		}
	}
	return true
}
