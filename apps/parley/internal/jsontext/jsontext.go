// Package jsontext reads and writes JSON text without changing a byte of what
// is inside.
package jsontext

import (
	"bytes"
	"encoding/json"

	"github.com/parley-mcp/parley/rawjson"
)

// Member is one member of a JSON object.
type Member struct {
	Name  string
	Value json.RawMessage // as it stands in the text
}

// Members takes a JSON object apart in the order of its text.
func Members(object []byte) (members []Member, err error) {
	var in rawjson.Members
	for in.Start(object); in.Next(); {
		name, _ := rawjson.Unquote(in.Name)
		members = append(members, Member{name, in.Value})
	}
	if in.Err != nil {
		return nil, in.Err
	}
	return members, nil
}

// Quote returns s as a JSON string.
func Quote(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string cannot fail
	return bytes.TrimRight(b.Bytes(), "\n")
}

// Get is the member of an object with exactly this name, nil if there is none.
func Get(object []byte, name string) json.RawMessage { return rawjson.Member(object, name) }

// Reader reads members by their exact names, and notes what is odd. The fields
// of a struct encoding/json would also take from names in other letters, which
// the engine has not looked at and others do not read.
type Reader struct {
	Odd bool // something was of another type than it was read as
}

// Read reads a member into a value that is no struct, and leaves that alone if
// there is none.
func (r *Reader) Read(object []byte, name string, into any) {
	if len(object) == 0 || string(bytes.TrimSpace(object)) == "null" {
		return
	}
	var m rawjson.Members
	for m.Start(object); m.Next(); {
		if m.Is(name) {
			r.Odd = json.Unmarshal(m.Value, into) != nil || r.Odd
			return
		}
	}
	r.Odd = m.Err != nil || r.Odd
}

// Text is a member that is a string, "" if there is none.
func (r *Reader) Text(object []byte, name string) (text string) {
	r.Read(object, name, &text)
	return text
}

// List is a member that is an array, nil if there is none.
func (r *Reader) List(object []byte, name string) (list []json.RawMessage) {
	r.Read(object, name, &list)
	return list
}

// Text is what a JSON string says, and any other value as it is written.
func Text(raw json.RawMessage) string {
	var s string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
