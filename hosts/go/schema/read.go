package schema

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/parley-mcp/parley/rawjson"
)

// Bounds of what is read.
const (
	MaxEntries = 10_000 // of a list: tools, contents, messages …
	maxNested  = 100    // of arguments, icons and the like: the rest is in Raw only
	maxFields  = 16     // of a struct here
)

// Error says what is wrong with a result.
type Error struct {
	Path   string // where, such as tools[3].name
	Reason string // continues after Path: "is not a string"
	Limit  bool   // there is more than is read; the schema would allow it
}

// Error implements error.
func (e *Error) Error() string { return "schema: " + e.Path + " " + e.Reason }

// unmarshal reads a result of which the caller keeps the text.
func unmarshal(text []byte, result any) error {
	reflect.ValueOf(result).Elem().SetZero()
	raw, bad := rawjson.Value(append([]byte(nil), text...))
	if bad != nil {
		return &Error{Path: "the result", Reason: "is no JSON: " + bad.Error()}
	}
	if err := read(result, raw, ""); err != nil {
		return err
	}
	return nil
}

// shape is how a struct is read.
type shape struct {
	fields []field
	raw    int // where its Raw is, -1 if it has none
}

// field is a member that a struct has. It is needed unless its tag has omitempty.
// Bytes and an embedded resource are read by check, if they count.
type field struct {
	name   string
	index  int
	needed bool
}

var shapes sync.Map // reflect.Type to shape

func shapeOf(t reflect.Type) shape {
	if known, ok := shapes.Load(t); ok {
		return known.(shape)
	}
	s := shape{raw: -1}
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Name == "Raw":
			s.raw = i
		case f.Name == "Meta":
			s.fields = append(s.fields, field{"_meta", i, false})
		case name != "-" && f.Type != reflect.TypeFor[[]byte]() && f.Type != reflect.TypeFor[*ResourceContents]():
			s.fields = append(s.fields, field{name, i, option != "omitempty"})
		}
	}
	shapes.Store(t, s)
	return s
}

// checked is a struct with rules that its tags do not have. err is what its fields lack:
// check returns it, or the error that comes first.
type checked interface {
	check(raw []byte, path string, err *Error) *Error
}

// read reads an object into the zero struct that to points to. Of two members of one
// name the last counts.
func read(to any, raw []byte, path string) *Error {
	v := reflect.ValueOf(to).Elem()
	s := shapeOf(v.Type())
	if s.raw >= 0 {
		v.Field(s.raw).SetBytes(raw)
	}
	if !rawjson.IsObject(raw) {
		if path == "" {
			path = "the result"
		}
		return &Error{Path: path, Reason: "is not an object"}
	}
	var values [maxFields][]byte
	var m rawjson.Members
	for m.Start(raw); m.Next(); {
		for i := range s.fields {
			if m.Is(s.fields[i].name) {
				values[i] = m.Value
				break
			}
		}
	}
	var first *Error
	for i, f := range s.fields {
		var err *Error
		switch into := v.Field(f.index); {
		case !f.needed && values[i] == nil:
		case !f.needed:
			value(into, values[i], "", false)
		case into.Kind() == reflect.Slice:
			err = entries(v, into, values[i], f.name)
		default:
			err = value(into, values[i], within(path, f.name), true)
		}
		if first == nil {
			first = err
		}
	}
	if to, ok := to.(checked); ok {
		return to.check(raw, path, first)
	}
	return first
}

// value reads a value into a field or an entry, which is zero and stays so if the value is
// of another type. A strict string is Unicode text: it goes back to the server.
func value(to reflect.Value, raw []byte, path string, strict bool) *Error {
	switch p := to.Addr().Interface().(type) {
	case *string:
		ok := false
		if strict {
			*p, ok = rawjson.Unquote(raw)
		} else {
			*p, ok = lenient(raw)
		}
		if !ok {
			return &Error{Path: path, Reason: "is not a string"}
		}
	case *bool:
		*p = string(raw) == "true"
	case **bool:
		*p = truth(raw)
	case *float64:
		if rawjson.IsNumber(raw) {
			json.Unmarshal(raw, p) // a number that does not fit a float64 becomes 0
		}
	case *int64:
		if n, ok := rawjson.Int(raw); ok {
			*p = n
		}
	case **int64:
		if n, ok := rawjson.Int(raw); ok {
			*p = &n
		}
	case *int:
		if n, ok := rawjson.Int(raw); ok && n >= 0 && n <= math.MaxInt {
			*p = int(n)
		}
	case *json.RawMessage:
		if rawjson.IsObject(raw) {
			*p = raw
		}
	default:
		return compound(to, raw, path)
	}
	return nil
}

func compound(to reflect.Value, raw []byte, path string) *Error {
	switch to.Kind() {
	case reflect.Slice:
		list(to, raw, maxNested, "", nil)
	case reflect.Struct:
		return read(to.Addr().Interface(), raw, path)
	case reflect.Pointer:
		p := reflect.New(to.Type().Elem())
		if err := read(p.Interface(), raw, path); err != nil {
			return err
		}
		to.Set(p)
	}
	return nil
}

// entries reads the list that a result is about. Its entries must all be usable, or
// else the result has LeftOut for what is wrong with them, and may have no list.
func entries(result, to reflect.Value, raw []byte, name string) *Error {
	left := result.FieldByName("LeftOut")
	if left.IsValid() && isNull(raw) {
		return nil
	}
	if !rawjson.IsArray(raw) {
		return &Error{Path: "the result", Reason: "has no list of " + name} // as the engine says it
	}
	var e rawjson.Elements
	n := 0
	for e.Start(raw); e.Next(); n++ {
		if n == MaxEntries {
			return &Error{Path: name, Reason: "has more than 10,000 entries", Limit: true}
		}
	}
	var flaws []*Error
	list(to, raw, MaxEntries, name, &flaws)
	switch {
	case left.IsValid():
		left.Set(reflect.ValueOf(flaws))
	case flaws != nil:
		return flaws[0]
	}
	return nil
}

// list reads those entries of a list that can be used, and not too many.
func list(to reflect.Value, raw []byte, most int, path string, flaws *[]*Error) {
	if !rawjson.IsArray(raw) {
		return
	}
	n := 0
	var e rawjson.Elements
	e.Start(raw)
	for i := 0; n < most && e.Next(); i++ {
		at := ""
		if flaws != nil {
			at = path + "[" + strconv.Itoa(i) + "]"
		}
		to.Grow(1)
		to.SetLen(n + 1)
		err := value(to.Index(n), e.Value, at, false)
		if err == nil {
			n++
			continue
		}
		to.Index(n).SetZero()
		if flaws != nil {
			*flaws = append(*flaws, err)
		}
	}
	if to.SetLen(n); n == 0 {
		to.SetZero()
	}
}

// last is the value of a member, nil if there is none.
func last(object []byte, name string) (value []byte) {
	var m rawjson.Members
	for m.Start(object); m.Next(); {
		if m.Is(name) {
			value = m.Value
		}
	}
	return value
}

// lenient is a string, with U+FFFD for what is not Unicode.
func lenient(raw []byte) (s string, ok bool) {
	if s, ok = rawjson.Unquote(raw); !ok && rawjson.IsString(raw) {
		ok = json.Unmarshal(raw, &s) == nil
	}
	return s, ok
}

// truth is a boolean, nil for anything else.
func truth(raw []byte) *bool {
	if yes := string(raw) == "true"; yes || string(raw) == "false" {
		return &yes
	}
	return nil
}

// binary is what a string in base64 stands for. White space in it counts for nothing.
func binary(raw []byte) (data []byte, ok bool) {
	text, ok := rawjson.Unquote(raw)
	if !ok {
		return nil, false
	}
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.FieldsFunc(text, isSpace), ""))
	return data, err == nil
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

func isNull(raw []byte) bool { return raw == nil || string(raw) == "null" }

func within(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
