package enginewire

import (
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
)

// object reads the members of one JSON object of this package's own making.
// It is strict: unknown and duplicate members are errors, because they can
// only mean that the two sides speak different versions. The first error
// sticks and ends the walk.
type object struct {
	what  string // for errors, such as "event"
	m     rawjson.Members
	names rawjson.Names
	err   *engine.Error
}

// start begins to read an object. It sets o in place, as o is large.
func (o *object) start(what string, data []byte) {
	o.what = what
	o.m.Start(data)
}

func (o *object) next() bool {
	if o.err != nil {
		return false
	}
	if !o.m.Next() {
		if o.m.Err != nil {
			o.fail(o.m.Err.Error())
		}
		return false
	}
	if err := o.names.Add(o.m.Name); err != nil {
		o.fail(err.Reason)
		return false
	}
	return true
}

func (o *object) is(name string) bool { return o.m.Is(name) }

func (o *object) fail(text string) {
	if o.err == nil {
		o.err = &engine.Error{Code: fault.Order, Detail: o.what + ": " + text}
	}
}

func (o *object) failMember(text string) {
	o.fail("member " + string(o.m.Name) + " " + text)
}

// unknown refuses the current member.
func (o *object) unknown() { o.failMember("is not known here") }

// text reads the current member as a string, unescaped in place.
func (o *object) text() []byte {
	v := o.m.Value
	if !rawjson.IsString(v) {
		o.failMember("is not a string")
		return nil
	}
	text, ok := rawjson.AppendUnquoted(v[:0], v)
	if !ok {
		o.failMember("has a lone surrogate")
		return nil
	}
	return text
}

// texts reads the current member as an array of strings.
func (o *object) texts() (texts []string) {
	if !rawjson.IsArray(o.m.Value) {
		o.failMember("is not an array")
		return nil
	}
	var e rawjson.Elements
	for e.Start(o.m.Value); e.Next(); {
		text, ok := rawjson.Unquote(e.Value)
		if !ok {
			o.failMember("has an element that is not a string")
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

// headers reads the current member as header fields.
func (o *object) headers() (headers []envelope.Header) {
	var e rawjson.Elements
	for e.Start(o.m.Value); e.Next(); {
		pair := object{what: o.what}
		pair.m.Value = e.Value
		if texts := pair.texts(); len(texts) == 2 {
			headers = append(headers, envelope.Header{Name: texts[0], Value: texts[1]})
		}
	}
	return headers
}

// integer reads the current member as an integer.
func (o *object) integer() int64 {
	n, ok := rawjson.Int(o.m.Value)
	if !ok {
		o.failMember("is not an integer")
	}
	return n
}

// small reads the current member as an integer that fits every platform's int.
func (o *object) small() int {
	n, ok := rawjson.Int(o.m.Value)
	if !ok || int64(int32(n)) != n {
		o.failMember("is not a 32-bit integer")
	}
	return int(n)
}

// duration reads the current member as milliseconds.
func (o *object) duration() time.Duration {
	const most = 100 * 365 * 24 * time.Hour // no sum of it and a clock overflows
	return time.Duration(min(o.integer(), int64(most/time.Millisecond))) * time.Millisecond
}

// boolean reads the current member as true or false.
func (o *object) boolean() bool {
	switch string(o.m.Value) {
	case "true":
		return true
	case "false":
	default:
		o.failMember("is neither true nor false")
	}
	return false
}

// isNull reports whether the current member is null.
func (o *object) isNull() bool { return string(o.m.Value) == "null" }

// writer appends one JSON object.
type writer struct{ dst []byte }

func (w *writer) put(text string) { w.dst = append(w.dst, text...) }

func (w *writer) open(kind string) {
	w.put("{")
	w.string("type", kind)
}

func (w *writer) close() { w.put("}") }

// comma goes before every member but the first.
func (w *writer) comma() {
	if w.dst[len(w.dst)-1] != '{' {
		w.put(",")
	}
}

// name writes a member's name, which needs no escapes.
func (w *writer) name(name string) {
	w.comma()
	w.put(`"`)
	w.put(name)
	w.put(`":`)
}

// member writes a member as it stands in another text.
func (w *writer) member(name, value []byte) {
	w.comma()
	w.dst = append(w.dst, name...)
	w.put(":")
	w.dst = append(w.dst, value...)
}

func (w *writer) integer(name string, n int64) {
	w.name(name)
	w.dst = rawjson.AppendInt(w.dst, n)
}

func (w *writer) boolean(name string, b bool) {
	w.name(name)
	if b {
		w.dst = append(w.dst, "true"...)
	} else {
		w.dst = append(w.dst, "false"...)
	}
}

// flag writes true; false is left out.
func (w *writer) flag(name string, set bool) {
	if set {
		w.boolean(name, true)
	}
}

// words writes text; "" is left out.
func (w *writer) words(name, text string) {
	if text != "" {
		w.string(name, text)
	}
}

func (w *writer) string(name, text string) {
	w.name(name)
	w.dst = rawjson.AppendQuoted(w.dst, text)
}

// raw writes JSON text as a string; nil is left out.
func (w *writer) raw(name string, text []byte) {
	if text != nil {
		w.name(name)
		w.dst = rawjson.AppendQuoted(w.dst, text)
	}
}
