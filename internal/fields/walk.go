// Package fields is how typed fields become members of a JSON object, and the
// other way round. Whatever crosses the engine's boundary, or is kept, has one
// function that visits its fields, a line a member:
//
//	func (w *walk) send(a *engine.Send) {
//		w.Int("leg", must, &a.Leg)
//		w.Text("method", must, &a.Method)
//		w.Raw("params", may, &a.Params)
//	}
//
// A [Walk] that writes appends what it visits; a Walk that reads fills it in.
// So the function is the table of names, kinds and fields, and there is no other.
// It is code, not data: data would need reflection, or an offset that nothing
// checks, and a switch by name for reading beside a list for writing would be
// the table twice.
package fields

import (
	"github.com/parley-mcp/parley/rawjson"
)

// Presence says when a member is there.
type Presence uint8

const (
	May  Presence = iota // left out where it says nothing
	Must                 // always; a text without it is refused
	Told                 // always written; a text without it is taken
)

// Walk visits the fields of one object. The zero value writes: it appends to
// Dst, and so does one after the other. [Walk.Read] makes it read.
//
// Reading is strict: unknown, duplicate and missing members and those of
// another kind are flaws, because they can only mean that the two sides speak
// different versions. Members may come in any order; in that of the fields they
// are read in one pass. Strings are unescaped in place, in the text's own memory.
type Walk struct {
	rawjson.Writer        // writing: the text so far
	Flaw           string // reading: what is wrong, "" if nothing is; the first flaw ends the walk

	Notation Notation
	frame

	mode  mode
	what  string // for flaws, such as "event"
	data  []byte
	m     rawjson.Members
	begun bool   // m has moved
	more  bool   // m is at a member that no field has taken
	name  []byte // of the member that was taken last

	typed   bool   // the member "type" is there as well
	passed  bool   // a pass was begun
	taken   bool   // in this pass something was
	lacking bool   // this pass is to find out what is missing
	field   uint   // fields visited in this pass
	must    uint64 // fields that have to be there
	seen    uint64 // fields that were read
}

type mode uint8

const (
	writing mode = iota
	reading
	settling
)

// Read makes w read an object from data. It sets w in place, as w is large.
func (w *Walk) Read(what string, data []byte) {
	w.mode, w.what, w.data = reading, what, data
	w.m.Start(data)
}

// Defer leaves it to whoever takes a value that is an object or array to check that
// it is well-formed. It is for what is checked in its own way, and then not twice.
func (w *Walk) Defer() { w.m.Defer() }

// Reads reports whether w fills fields in.
func (w *Walk) Reads() bool { return w.mode == reading }

// Type is the token of the member "type", wherever it is; nil if there is none.
func (w *Walk) Type() []byte {
	w.typed = true
	w.begin()
	if w.more && w.m.Is("type") {
		return w.m.Value
	}
	var all rawjson.Members
	for all.Start(w.data); all.Next(); {
		if all.Is("type") {
			return all.Value
		}
	}
	return nil
}

// Next begins a pass over the fields, and reports whether one is needed:
//
//	for w.Next() {
//		w.send(&a)
//	}
//
// Every pass of a reading walk takes the members that come in the order of the
// fields, and the last one says which is missing. A writing walk makes one.
func (w *Walk) Next() bool {
	if w.mode == writing {
		w.passed = !w.passed
		return w.passed
	}
	w.begin()
	switch {
	case w.Flaw != "" || w.lacking:
		return false
	case !w.passed:
		w.passed = true
	case w.more && !w.taken:
		w.name = w.m.Name
		w.Refuse("is not known here")
		return false
	case w.more:
	case w.must&^w.seen != 0:
		w.lacking = true
	default:
		return false
	}
	w.taken, w.field = false, 0
	if w.typed {
		w.take("type", Told)
	}
	return true
}

// Over reports whether every member was read, and none was refused.
func (w *Walk) Over() bool { return !w.more && w.Flaw == "" }

// Fail ends a reading walk.
func (w *Walk) Fail(flaw string) {
	if w.Flaw == "" {
		w.Flaw = w.what + ": " + flaw
	}
	w.more = false
}

// Refuse ends a reading walk because of the member that was read last.
func (w *Walk) Refuse(flaw string) { w.Fail("member " + string(w.name) + " " + flaw) }

func (w *Walk) begin() {
	if !w.begun {
		w.begun = true
		w.advance()
	}
}

func (w *Walk) advance() {
	w.more = w.m.Next()
	if w.m.Err != nil {
		w.Fail(w.m.Err.Error())
	}
}

// take visits a field of a reading walk, and is its value if the member at hand
// is the field's.
func (w *Walk) take(name string, p Presence) []byte {
	bit := uint64(1) << w.field // none from the 65th field on: only a snapshot has so many
	w.field++
	if p == Must {
		w.must |= bit
	}
	if !w.more || w.m.Name[1] != name[0] && w.m.Name[1] != '\\' || !w.m.Is(name) { // most differ in the first letter
		if w.lacking && w.must&^w.seen&bit != 0 {
			w.Fail(`member "` + name + `" is missing`)
		}
		return nil
	}
	if w.seen&bit != 0 {
		w.name = w.m.Name
		w.Refuse("is there twice")
		return nil
	}
	w.seen |= bit
	w.taken = true
	value := w.m.Value
	w.name = w.m.Name
	w.advance()
	return value
}

// Passes reports whether a Snapshot walk has nothing to do with a field, as with most
// of them: there is nothing to write, or the member at hand begins otherwise.
func (w *Walk) Passes(name string, zero bool) bool {
	if w.mode == writing {
		return zero
	}
	return !w.more || w.m.Name[1] != name[0]
}

// Take is the value of a member that is read in a way of its own, nil if it is
// not the one at hand.
func (w *Walk) Take(name string) []byte { return w.take(name, May) }

// Open begins to write an object of a type.
func (w *Walk) Open(kind string) {
	w.Put("{")
	w.Name("type")
	w.Quoted(kind)
}

// Close ends an object.
func (w *Walk) Close() { w.Put("}") }

// Name writes a member's name, which needs no escapes.
func (w *Walk) Name(name string) {
	w.Comma()
	w.Put(`"`)
	w.Put(name)
	w.Put(`":`)
}

// Nested begins to visit the fields of an object that is a member; there says
// whether it is written. It reports whether in is to be walked, and then to be
// given to [Walk.Leave].
func (w *Walk) Nested(name string, there bool, in *Walk) bool {
	if w.mode == writing {
		if there {
			w.Name(name)
			in.Within(w)
			in.Dst = append(w.Dst, '{')
		}
		return there
	}
	value := w.take(name, May)
	if value != nil {
		in.Within(w)
		in.Read(name, value)
	}
	return value != nil
}

// Leave ends the visit of a nested object.
func (w *Walk) Leave(in *Walk) {
	if w.mode == writing {
		w.Dst, w.frame = append(in.Dst, '}'), in.frame
	} else if in.Flaw != "" {
		w.Flaw, w.more = in.Flaw, false
	}
}
