// Package jsontext reads and writes JSON text without changing a byte of what
// is inside.
package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

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

// Quote returns s as a JSON string. What is not UTF-8 becomes U+FFFD.
func Quote(s string) json.RawMessage {
	return rawjson.AppendQuoted(nil, strings.ToValidUTF8(s, "\ufffd"))
}

// Array is the array of values, each as it stands.
func Array(values []json.RawMessage) json.RawMessage {
	list := []byte{'['}
	for i, value := range values {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, value...)
	}
	return append(list, ']')
}

// Get is the value at a path of exact member names, nil if there is none.
func Get(value []byte, path ...string) json.RawMessage {
	for _, name := range path {
		value = rawjson.Member(value, name)
	}
	return value
}

// Text is what the JSON string at a path says, any other value as it is written,
// and "" for null. Half of a surrogate pair becomes U+FFFD.
func Text(value []byte, path ...string) string {
	var s string
	if value = Get(value, path...); rawjson.IsString(value) && json.Unmarshal(value, &s) == nil {
		return s
	}
	if string(value) == "null" {
		return ""
	}
	return string(value)
}

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

// Check says where text is not JSON.
func Check(text []byte) error {
	if !utf8.Valid(text) {
		return errors.New("not UTF-8")
	}
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	before := text[:min(int(syntax.Offset), len(text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	if int(syntax.Offset) >= len(text) && strings.Contains(syntax.Error(), "unexpected end") {
		column++ // what is missing comes after the last character
	}
	return fmt.Errorf("not JSON at line %d, column %d: %w", line, column, syntax)
}
