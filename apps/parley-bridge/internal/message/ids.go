package message

import (
	"bytes"

	"github.com/parley-mcp/parley/rawjson"
)

// IDs reads the ids of the requests in a text, to answer them whatever else is wrong
// with it: it may be cut off, be no JSON in places, or be longer than is read. It
// keeps nothing else of the text, which comes in parts of any size.
//
// A message is a request here unless it has a result or an error. What breaks off
// is one only if its method has been seen.
type IDs struct {
	Found [][]byte // at most maxBatch

	depth   int  // of open brackets
	batch   bool // the outermost is a list
	quoted  bool // in a string
	escaped bool // after its backslash

	// Of the message at hand.
	value             bool   // after the colon of a member
	name, text        []byte // of the member; text is its value, if that is no list or object
	id                []byte
	method, answering bool
}

// maxID bounds an id that is read from what cannot be read otherwise, in bytes.
const maxID = 1 << 10

// Write implements [io.Writer]; it takes everything.
func (d *IDs) Write(part []byte) (int, error) {
	for i := 0; i < len(part); i++ {
		if d.quoted && !d.escaped && d.depth != d.inside() { // most of a long message
			next := bytes.IndexAny(part[i:], `"\\`)
			if next < 0 {
				break
			}
			i += next
		}
		d.take(part[i])
	}
	return len(part), nil
}

// IDsOf are the ids of the requests in a whole text.
func IDsOf(text []byte) [][]byte {
	var d IDs
	d.Write(text)
	return d.All()
}

// All are the ids found so far, with that of a message that breaks off.
func (d *IDs) All() [][]byte {
	name := rawjson.Trim(d.name)
	method := d.method || d.value && rawjson.Valid(name) && rawjson.Is(name, "method")
	if method && !d.answering && d.id != nil {
		return append(d.Found[:len(d.Found):len(d.Found)], d.id)
	}
	return d.Found
}

// inside is the depth in a message.
func (d *IDs) inside() int {
	if d.batch {
		return 2
	}
	return 1
}

func (d *IDs) take(c byte) {
	switch {
	case d.quoted:
		d.note(c)
		d.quoted = d.escaped || c != '"'
		d.escaped = !d.escaped && c == '\\'
	case c == '{' || c == '[':
		if d.depth == 0 {
			d.batch = c == '['
		}
		d.note(c) // a value that is no id
		d.depth++
		if d.depth == d.inside() && c == '{' {
			d.begin()
		}
	case c == '}' || c == ']':
		if d.depth == d.inside() {
			d.member()
			d.end()
		}
		d.depth = max(d.depth-1, 0)
	case d.depth == d.inside() && c == ',':
		d.member()
	case d.depth == d.inside() && c == ':':
		d.value, d.text = true, nil
	default:
		d.quoted = c == '"' && d.depth > 0
		d.note(c)
	}
}

// note adds a byte to the name or value at hand, and one more than may be, which
// tells that it is too long.
func (d *IDs) note(c byte) {
	switch {
	case d.depth != d.inside():
	case d.value && len(d.text) <= maxID:
		d.text = append(d.text, c)
	case !d.value && len(d.name) <= maxID:
		d.name = append(d.name, c)
	}
}

func (d *IDs) begin() {
	d.id, d.method, d.answering = nil, false, false
	d.value, d.name, d.text = false, nil, nil
}

// member takes a name and its value, of which the end has come.
func (d *IDs) member() {
	name, text := rawjson.Trim(d.name), rawjson.Trim(d.text)
	switch {
	case !d.value || !rawjson.Valid(name):
	case rawjson.Is(name, "id"):
		if d.id != nil || len(text) > maxID || !isID(text) || rawjson.Strict(text) != nil {
			text = []byte("null") // none, or one of two
		}
		d.id = text
	case rawjson.Is(name, "method"):
		d.method = true
	case rawjson.Is(name, "result"), rawjson.Is(name, "error"):
		d.answering = d.answering || string(text) != "null"
	}
	d.value, d.name, d.text = false, nil, nil
}

// end takes the message.
func (d *IDs) end() {
	if d.id != nil && !d.answering && len(d.Found) < maxBatch {
		d.Found = append(d.Found, d.id)
	}
	d.begin()
}

// Refusal answers requests that are refused together: one message, or a batch. Without
// an id it is that of a message that could not be read.
func Refusal(ids [][]byte, object []byte) []byte {
	if len(ids) < 2 {
		return Failure(append(ids, nil)[0], object)
	}
	b := []byte{'['}
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, Failure(id, object)...)
	}
	return append(b, ']')
}
