package fields

import (
	"time"

	"github.com/parley-mcp/parley/rawjson"
)

// Int visits an integer that fits every platform's int.
func (w *Walk) Int(name string, p Presence, n *int) {
	if read, ok := w.integer(name, p, int64(*n)); ok {
		*n = int(w.small(read))
	}
}

// Int32 visits an integer, such as a code.
func (w *Walk) Int32(name string, p Presence, n *int32) {
	if read, ok := w.integer(name, p, int64(*n)); ok {
		*n = w.small(read)
	}
}

// Int64 visits an integer, such as a time.
func (w *Walk) Int64(name string, p Presence, n *int64) {
	if read, ok := w.integer(name, p, *n); ok {
		*n = read
	}
}

// Millis visits a duration in whole milliseconds, rounded up; a negative one,
// which is without bound, is -1.
func (w *Walk) Millis(name string, p Presence, d *time.Duration) {
	const most = 100 * 365 * 24 * time.Hour // no sum of it and a clock overflows
	if read, ok := w.integer(name, p, millis(*d)); ok {
		*d = time.Duration(min(read, int64(most/time.Millisecond))) * time.Millisecond
	}
}

func millis(d time.Duration) int64 {
	if d < 0 {
		return -1
	}
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}

// integer writes n, or reports what was read.
func (w *Walk) integer(name string, p Presence, n int64) (read int64, ok bool) {
	if w.mode == writing {
		if n != 0 || p != May {
			w.Name(name)
			w.Writer.Int(n)
		}
		return 0, false
	}
	value := w.take(name, p)
	if value == nil {
		return 0, false
	}
	if read, ok = rawjson.Int(value); !ok {
		w.Refuse("is not an integer")
	}
	return read, ok
}

func (w *Walk) small(n int64) int32 {
	if int64(int32(n)) != n {
		w.Refuse("is not a 32-bit integer")
	}
	return int32(n)
}

// Bool visits true or false.
func (w *Walk) Bool(name string, p Presence, b *bool) {
	if w.mode == writing {
		switch {
		case *b:
			w.Name(name)
			w.Put("true")
		case p != May:
			w.Name(name)
			w.Put("false")
		}
		return
	}
	value := w.take(name, p)
	if value == nil {
		return
	}
	if *b = string(value) == "true"; !*b && string(value) != "false" {
		w.Refuse("is neither true nor false")
	}
}

// Text visits a string.
func (w *Walk) Text(name string, p Presence, text *string) {
	if w.mode == writing {
		if *text != "" || p != May {
			w.Name(name)
			w.Quoted(*text)
		}
	} else if value := w.take(name, p); value != nil {
		*text = string(w.unquoted(value))
	}
}

// OneOf visits an index as a name; the first one is "", and left out. It is
// the index.
func (w *Walk) OneOf(name string, names []string, i int) int {
	if w.mode == writing {
		w.Text(name, May, &names[i])
		return i
	}
	value := w.take(name, May)
	if value == nil {
		return i
	}
	for i := range names {
		if rawjson.Is(value, names[i]) {
			return i
		}
	}
	w.Refuse("is not known here")
	return i
}

// Raw visits JSON text, or any bytes, as the notation says; no parser changes a
// number in it. What is read points into the text it is read from, and what is
// written into a frame is copied at its end. With [May], nil is left out.
func (w *Walk) Raw(name string, p Presence, text *[]byte) {
	if w.mode == writing {
		if *text == nil && p == May || len(*text) == 0 && w.Notation == Snapshot {
			return
		}
		w.Name(name)
		switch {
		case w.Notation == Snapshot:
			w.Writer.Raw(*text)
		case w.isFrame():
			w.put(*text)
		default:
			w.Dst = rawjson.AppendQuoted(w.Dst, *text)
		}
	} else if value := w.take(name, p); value != nil {
		switch {
		case w.Notation == Snapshot:
			*text = value
		case w.isFrame():
			*text = w.get(value)
		default:
			*text = w.unquoted(value)
		}
	}
}

// unquoted reads a string, in its own memory.
func (w *Walk) unquoted(value []byte) []byte {
	if !rawjson.IsString(value) {
		w.Refuse("is not a string")
		return nil
	}
	text, ok := rawjson.AppendUnquoted(value[:0], value)
	if !ok {
		w.Refuse("has a lone surrogate")
		return nil
	}
	if w.Notation == Snapshot && !rawjson.ValidUTF8(text) {
		w.Refuse("is not Unicode text")
	}
	return text
}

// Texts visits an array of strings; an empty one is left out.
func (w *Walk) Texts(name string, texts *[]string) {
	if w.mode == writing {
		if len(*texts) > 0 {
			w.Name(name)
			w.AppendTexts(*texts)
		}
	} else if value := w.take(name, May); value != nil {
		*texts = w.ReadTexts(value)
	}
}

// AppendTexts writes an array of strings.
func (w *Walk) AppendTexts(texts []string) {
	w.Put("[")
	for _, text := range texts {
		w.Comma()
		w.Quoted(text)
	}
	w.Put("]")
}

// ReadTexts reads an array of strings, within the member that was read last.
func (w *Walk) ReadTexts(array []byte) (texts []string) {
	if !rawjson.IsArray(array) {
		w.Refuse("is not an array")
		return nil
	}
	var e rawjson.Elements
	for e.Start(array); e.Next(); {
		text, ok := rawjson.Unquote(e.Value)
		if !ok {
			w.Refuse("has an element that is not a string")
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}
