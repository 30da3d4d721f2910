// Package codecwire is the payload of the codec modules' boundary: a sequence
// of fields, each its length in four bytes, little-endian, and then its bytes.
// A field that is absent, not empty, has the length 2^32-1. See wasm/CODEC.md.
package codecwire

const absent = 1<<32 - 1

// AppendField appends a field. nil is an empty field; see [AppendAbsent].
func AppendField[T string | []byte](dst []byte, field T) []byte {
	return append(AppendUint32(dst, uint32(len(field))), field...)
}

// AppendAbsent appends a field that is absent.
func AppendAbsent(dst []byte) []byte { return AppendUint32(dst, absent) }

// AppendOptional appends a field that is absent where text is nil.
func AppendOptional(dst []byte, text *string) []byte {
	if text == nil {
		return AppendAbsent(dst)
	}
	return AppendField(dst, *text)
}

// AppendUint32 appends a number of four bytes, little-endian.
func AppendUint32(dst []byte, n uint32) []byte {
	return append(dst, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}

// Reader reads fields. The zero value of Bad stands until one is missing; then
// every further read gives nothing.
type Reader struct {
	Data []byte // what is left
	Bad  bool
}

// Field reads a field, which aliases the data. It is nil where the field is
// absent, and only then.
func (r *Reader) Field() []byte {
	n := r.Uint32()
	if r.Bad || n == absent {
		return nil
	}
	if uint64(n) > uint64(len(r.Data)) {
		r.Bad = true
		return nil
	}
	field := r.Data[:n:n]
	r.Data = r.Data[n:]
	if field == nil {
		field = []byte{}
	}
	return field
}

// Optional reads a field as text, nil where it is absent.
func (r *Reader) Optional() *string {
	field := r.Field()
	if field == nil {
		return nil
	}
	text := string(field)
	return &text
}

// Uint32 reads a number.
func (r *Reader) Uint32() uint32 {
	if r.Bad || len(r.Data) < 4 {
		r.Bad = true
		return 0
	}
	d := r.Data
	r.Data = d[4:]
	return uint32(d[0]) | uint32(d[1])<<8 | uint32(d[2])<<16 | uint32(d[3])<<24
}

// End reports whether all was read and nothing was missing.
func (r *Reader) End() bool { return !r.Bad && len(r.Data) == 0 }
