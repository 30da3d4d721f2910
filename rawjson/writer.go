package rawjson

// Writer appends JSON to Dst. The zero value is ready to use. Its methods are what a
// TinyGo module pays for once, where every append is paid for again.
type Writer struct{ Dst []byte }

// NewWriter starts an object or array, whose first byte is open, with room for size bytes.
func NewWriter(open byte, size int) Writer { return Writer{append(make([]byte, 0, size), open)} }

// Put appends text as it is.
func (w *Writer) Put(text string) { w.Dst = append(w.Dst, text...) }

// Raw appends the text of a value as it is.
func (w *Writer) Raw(value []byte) { w.Dst = append(w.Dst, value...) }

// Quoted appends a string.
func (w *Writer) Quoted(text string) { w.Dst = AppendQuoted(w.Dst, text) }

// Int appends an integer.
func (w *Writer) Int(n int64) { w.Dst = AppendInt(w.Dst, n) }

// Comma goes before everything but the first in an object or array. Inlined where
// each member begins, it would make the module built for speed 4 KB longer.
//
//go:noinline
func (w *Writer) Comma() {
	if c := w.Dst[len(w.Dst)-1]; c != '{' && c != '[' {
		w.Put(",")
	}
}

// Member appends a member as it stands: its name in quotes, and its value.
func (w *Writer) Member(name, value []byte) {
	w.Comma()
	w.Raw(name)
	w.Put(":")
	w.Raw(value)
}

// Begin appends what a member begins with, such as `"name":` or `"name":{`.
func (w *Writer) Begin(text string) {
	w.Comma()
	w.Put(text)
}
