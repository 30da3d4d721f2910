// Package writer puts JSON text together.
package writer

import "github.com/parley-mcp/parley/rawjson"

// JSON is text in the making, the zero value none yet. Its methods are what a
// TinyGo module pays for once, where every append is paid for again.
type JSON struct{ Dst []byte }

// With is text that begins with an open object or array, with room for size bytes.
func With(open byte, size int) JSON { return JSON{append(make([]byte, 0, size), open)} }

// Put appends text as it is.
func (j *JSON) Put(text string) { j.Dst = append(j.Dst, text...) }

// Raw appends the text of a value as it is.
func (j *JSON) Raw(value []byte) { j.Dst = append(j.Dst, value...) }

// Quoted appends a string.
func (j *JSON) Quoted(text string) { j.Dst = rawjson.AppendQuoted(j.Dst, text) }

// Int appends an integer.
func (j *JSON) Int(n int64) { j.Dst = rawjson.AppendInt(j.Dst, n) }

// Comma goes before everything but the first in an object or array. Inlined where
// each member begins, it would make the module built for speed 4 KB longer.
//
//go:noinline
func (j *JSON) Comma() {
	if c := j.Dst[len(j.Dst)-1]; c != '{' && c != '[' {
		j.Put(",")
	}
}

// Member appends a member as it stands: its name in quotes, and its value.
func (j *JSON) Member(name, value []byte) {
	j.Comma()
	j.Raw(name)
	j.Put(":")
	j.Raw(value)
}

// Begin appends what a member begins with, such as `"name":` or `"name":{`.
func (j *JSON) Begin(text string) {
	j.Comma()
	j.Put(text)
}
