package fields

import "github.com/parley-mcp/parley/rawjson"

// Notation is how objects are written.
type Notation uint8

const (
	// Text is JSON. A raw member is a string that holds its bytes.
	Text Notation = iota

	// Snapshot is JSON. A raw member is JSON text that stands in it as it is, and
	// a number of options is left out where it has its default.
	Snapshot

	// Frame is JSON with its length before it and the bytes of raw members behind
	// it, where the member says: [at,size]. wasm/ABI.md.
	Frame

	// View is a Frame to be read in memory that is another's next: raw members are
	// copied.
	View
)

// frame is what goes with the head of a frame, and is shared by all objects in it.
type frame struct {
	start int      // writing: where in Dst the frame begins
	blobs [][]byte // writing: raw members in the order of the head
	size  int      // writing: bytes of them all
	tail  []byte   // reading: what follows the head
}

// lengthSize is the length before the head, u32 little-endian.
const lengthSize = 4

// isFrame reports whether the notation is Frame or View; it is no other where
// there are no texts, but for a Snapshot, which is no payload.
func (w *Walk) isFrame() bool { return !texts || frames && w.Notation >= Frame }

// Begin makes w write a payload at the end of dst, up to [Walk.End].
func (w *Walk) Begin(n Notation, dst []byte) {
	w.Notation, w.Dst, w.start = n, dst, len(dst)
	if w.isFrame() {
		w.Dst = append(w.Dst, 0, 0, 0, 0)
	}
}

// End ends a payload.
func (w *Walk) End() []byte {
	blobs := w.Apart()
	if !w.isFrame() {
		return w.Dst
	}
	if most := len(w.Dst) + w.size; most > cap(w.Dst) { // once, as blobs are long
		w.Dst = append(make([]byte, 0, most), w.Dst...)
	}
	for _, blob := range blobs {
		w.Dst = append(w.Dst, blob...)
	}
	return w.Dst
}

// Apart ends a payload but for the blobs, which are to follow what is in Dst.
func (w *Walk) Apart() (blobs [][]byte) {
	if w.isFrame() {
		n := len(w.Dst) - w.start - lengthSize
		w.Dst[w.start], w.Dst[w.start+1], w.Dst[w.start+2], w.Dst[w.start+3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	}
	return w.blobs
}

// Reuse makes w keep its blobs in memory that was used before.
func (w *Walk) Reuse(blobs [][]byte) { w.blobs = blobs[:0] }

// ReadAs makes w read a payload.
func (w *Walk) ReadAs(n Notation, what string, data []byte) {
	w.Notation = n
	if !w.isFrame() {
		w.Read(what, data)
		return
	}
	flaw := "the frame has no length"
	var head []byte
	if len(data) >= lengthSize {
		n := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24
		data = data[lengthSize:]
		flaw = "the frame is shorter than its head"
		if uint64(n) <= uint64(len(data)) {
			head, w.tail, flaw = data[:n:n], data[n:], ""
		}
	}
	w.Read(what, head)
	if flaw != "" {
		w.Fail(flaw)
	}
}

// Within makes w part of the payload of another: an element of an array in it.
func (w *Walk) Within(outer *Walk) { w.Notation, w.frame = outer.Notation, outer.frame }

// put writes where a raw member stands.
func (w *Walk) put(blob []byte) {
	w.Put("[")
	w.Writer.Int(int64(w.size))
	w.Put(",")
	w.Writer.Int(int64(len(blob)))
	w.Put("]")
	if len(blob) > 0 {
		w.blobs = append(w.blobs, blob)
		w.size += len(blob)
	}
}

// get reads a raw member where its span says.
func (w *Walk) get(span []byte) []byte {
	var pair [2]int64
	n, all := 0, true
	var e rawjson.Elements
	for e.Start(span); e.Next(); n++ {
		if n < len(pair) {
			var ok bool
			pair[n], ok = rawjson.Int(e.Value)
			all = all && ok
		}
	}
	at, size := pair[0], pair[1]
	switch {
	case n != len(pair) || !all || e.Err != nil:
		w.Refuse("is not a span, [at,size]")
		return nil
	case at < 0 || size < 0 || at > int64(len(w.tail)) || size > int64(len(w.tail))-at:
		w.Refuse("is not within the frame")
		return nil
	}
	blob := w.tail[at : at+size : at+size]
	if texts && w.Notation == View {
		blob = append(make([]byte, 0, size), blob...)
	}
	return blob
}
