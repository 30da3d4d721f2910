package schema

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/rawjson"
)

// Bounds of what is read.
const (
	MaxEntries = 10_000 // of a list: tools, contents, messages …
	maxNested  = 100    // of arguments, icons and the like: the rest is in Raw only
)

// Error says what is wrong with a result.
type Error struct {
	Path   string // where, such as tools[3].name
	Reason string // continues after Path: "is not a string"
	Limit  bool   // there is more than is read; the schema would allow it
}

// Error implements error.
func (e *Error) Error() string { return "schema: " + e.Path + " " + e.Reason }

// whole reads a result of which the caller keeps the text.
func whole(text []byte, read func(raw json.RawMessage) *Error) error {
	raw, bad := rawjson.Value(append(json.RawMessage(nil), text...))
	if bad != nil {
		return &Error{Path: "the result", Reason: "is no JSON: " + bad.Error()}
	}
	if err := read(raw); err != nil {
		return err
	}
	return nil
}

// members reads an object.
func members(raw []byte, path string, read func(name string, value []byte) *Error) *Error {
	if !rawjson.IsObject(raw) {
		return &Error{Path: path, Reason: "is not an object"}
	}
	var m rawjson.Members
	for m.Start(raw); m.Next(); {
		name, ok := rawjson.Unquote(m.Name)
		if !ok {
			continue
		}
		if err := read(name, m.Value); err != nil {
			return err
		}
	}
	return nil
}

// brought reads the array that a method must bring, whose entries must all be usable.
func brought[T any](to *[]T, raw []byte, name string, read func(to *T, raw []byte, path string) *Error) *Error {
	return each(raw, name, func(raw []byte, path string) *Error {
		var entry T
		err := read(&entry, raw, path)
		*to = append(*to, entry)
		return err
	})
}

// usable reads the entries of a list that are, and returns what is wrong with the
// others. A list that is absent is empty.
func usable[T any](to *[]T, raw []byte, name string, read func(to *T, raw []byte, path string) *Error) (left []*Error, err *Error) {
	if isNull(raw) {
		return nil, nil
	}
	err = each(raw, name, func(raw []byte, path string) *Error {
		var entry T
		if flaw := read(&entry, raw, path); flaw != nil {
			left = append(left, flaw)
		} else {
			*to = append(*to, entry)
		}
		return nil
	})
	return left, err
}

func each(raw []byte, name string, read func(raw []byte, path string) *Error) *Error {
	if !rawjson.IsArray(raw) {
		return &Error{Path: "the result", Reason: "has no list of " + name} // as the engine says it
	}
	if count(raw, MaxEntries) > MaxEntries {
		return &Error{Path: name, Reason: "has more than 10,000 entries", Limit: true}
	}
	var e rawjson.Elements
	e.Start(raw)
	for i := 0; e.Next(); i++ {
		if err := read(e.Value, name+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	return nil
}

func count(raw []byte, most int) (n int) {
	var e rawjson.Elements
	for e.Start(raw); n <= most && e.Next(); n++ {
	}
	return n
}

// some reads those entries of a list that can be used, and not too many.
func some[T any](raw []byte, read func(to *T, raw []byte, path string) *Error) (all []T) {
	if !rawjson.IsArray(raw) {
		return nil
	}
	var e rawjson.Elements
	for e.Start(raw); len(all) < maxNested && e.Next(); {
		var entry T
		if read(&entry, e.Value, "") == nil {
			all = append(all, entry)
		}
	}
	return all
}

// needed reads a string that must be there, and be Unicode text: it goes back to
// the server.
func needed(to *string, raw []byte, path, name string) *Error {
	ok := rawjson.IsString(raw)
	if ok {
		*to, ok = rawjson.Unquote(raw)
	}
	if !ok {
		return &Error{Path: within(path, name), Reason: "is not a string"}
	}
	return nil
}

// text is a string, with U+FFFD for what is not Unicode.
func text(raw []byte) (s string, ok bool) {
	if !rawjson.IsString(raw) {
		return "", false
	}
	if s, ok = rawjson.Unquote(raw); !ok {
		ok = json.Unmarshal(raw, &s) == nil
	}
	return s, ok
}

func optional(raw []byte) string {
	s, _ := text(raw)
	return s
}

func readString(to *string, raw []byte, path string) *Error {
	var ok bool
	if *to, ok = text(raw); !ok {
		return &Error{Path: path, Reason: "is not a string"}
	}
	return nil
}

func truth(raw []byte) bool { return string(raw) == "true" }

// hint is a boolean that may be absent.
func hint(raw []byte) *bool {
	if yes := truth(raw); yes || string(raw) == "false" {
		return &yes
	}
	return nil
}

// binary is what a string in base64 stands for. White space in it counts for nothing.
func binary(raw []byte) (data []byte, ok bool) {
	text, ok := rawjson.Unquote(raw)
	if !ok || !rawjson.IsString(raw) {
		return nil, false
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.FieldsFunc(text, isSpace), ""))
	return data, err == nil
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

// objectOnly is a raw object, nil for anything else.
func objectOnly(raw []byte) json.RawMessage {
	if !rawjson.IsObject(raw) {
		return nil
	}
	return raw
}

func isNull(raw []byte) bool { return raw == nil || string(raw) == "null" }

func within(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
