package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/fields"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// walk visits the fields of what crosses the boundary. Every type has one
// method that does so, both to write it and to read it: a new member is a line
// there. It is made in place, as it is large: a TinyGo module pays for every copy.
type walk struct {
	fields.Walk
	kind []byte // the token of the type

	beside  side
	call    int   // beside an event or action, absent if it is not there
	now     int64 // beside an event, absent if it is not there
	assumed int   // the question that is meant where none is named, 0 if none is

	last *LastHeaders // nil if nobody keeps them
}

// side is what may stand beside the members of any event or action.
type side uint8

const (
	nothing side = iota
	aCall
	aTime
)

const (
	may  = fields.May
	must = fields.Must
	told = fields.Told
)

// absent is no call and no time.
const absent = -1 << 31

// readTyped begins to read an event or action.
func (w *walk) readTyped(n Notation, what string, data []byte, beside side) {
	w.read(n, what, data)
	w.typed(beside)
}

func (w *walk) typed(beside side) {
	w.kind, w.beside, w.call, w.now = w.Type(), beside, absent, absent
}

func (w *walk) is(kind string) bool { return rawjson.Is(w.kind, kind) }

// next is Next of the members of an event or action.
func (w *walk) next() bool {
	if !w.Next() {
		return false
	}
	switch w.beside {
	case aCall:
		w.Int("call", may, &w.call)
	case aTime:
		w.time(&w.now)
	}
	return true
}

// get reads an event or action by the function that visits its members.
func get[T any](w *walk, visit func(*walk, *T)) (t T) {
	for w.next() {
		visit(w, &t)
	}
	return t
}

// none reads an event or action that has no members.
func (w *walk) none() {
	for w.next() {
	}
}

// flaw is why a text is refused, nil if it is not.
func (w *walk) flaw(code fault.Code) *engine.Error {
	if w.Flaw == "" {
		return nil
	}
	return &engine.Error{Code: code, Detail: sentence.Value(w.Flaw)} // for who writes the host
}

// flawed is flaw, or what the engine says in place of what was asked for.
func (w *walk) flawed(failed *engine.Error) error {
	if w.Flaw != "" {
		return w.flaw(fault.Order)
	}
	if failed != nil {
		return failed
	}
	return nil
}

// error visits what failed, if something did.
func (w *walk) error(failed **engine.Error) {
	var in fields.Walk
	if !w.Nested("error", *failed != nil, &in) {
		return
	}
	if w.Reads() {
		*failed = &engine.Error{}
	}
	for in.Next() {
		in.Int32("code", told, (*int32)(&(*failed).Code))
		said(&in, "detail", told, &(*failed).Detail)
	}
	w.Leave(&in)
}

// What the host can answer: questions of other kinds fail the call.
func (w *walk) can(can **engine.Can) {
	var in fields.Walk
	if !w.Nested("can", *can != nil, &in) {
		return
	}
	if w.Reads() {
		*can = &engine.Can{}
	}
	c := *can
	for in.Next() {
		in.Bool("form", may, &c.Form)
		in.Bool("url", may, &c.URL)
		in.Bool("sampling", may, &c.Sampling)
		in.Bool("samplingTools", may, &c.SamplingTools) // sampling with tools
		in.Bool("roots", may, &c.Roots)
		in.Bool("tasks", may, &c.Tasks)         // a tool call may become a task
		in.Bool("authorize", may, &c.Authorize) // sign in: a session asks, and it is declared to no server
		in.Bool("anyForm", may, &c.AnyForm)     // draw forms that Parley cannot read: their answer only has to be an object. It is declared to no server
	}
	w.Leave(&in)
}

// What of a server may change.
func (w *walk) filter(f *session.Filter) {
	w.Bool("toolsListChanged", may, &f.ToolsListChanged)
	w.Bool("promptsListChanged", may, &f.PromptsListChanged)
	w.Bool("resourcesListChanged", may, &f.ResourcesListChanged)
	w.Texts("resourceSubscriptions", &f.ResourceSubscriptions) // uris, at most 1,000 of at most 8 KiB
}

// headers visits header fields, in order.
func (w *walk) headers(p fields.Presence, headers *[]session.Header) {
	if !w.Reads() {
		if len(*headers) == 0 && p == may {
			return
		}
		w.Name("headers")
		w.Put("[")
		for _, h := range *headers {
			w.Comma()
			w.AppendTexts([]string{h.Name, h.Value})
		}
		w.Put("]")
		return
	}
	array := w.Take("headers")
	if array == nil {
		return
	}
	if w.last.are(array) {
		*headers = append(make([]session.Header, 0, len(w.last.headers)), w.last.headers...)
		return
	}
	*headers = make([]session.Header, 0, 6)
	var e, pair rawjson.Elements
	ok := true
	for e.Start(array); ok && e.Next(); {
		var texts [2]string
		n := 0
		for pair.Start(e.Value); ok && pair.Next(); n++ {
			if ok = n < len(texts); ok {
				texts[n], ok = rawjson.Unquote(pair.Value)
			}
		}
		ok = ok && n == len(texts)
		*headers = append(*headers, session.Header{Name: texts[0], Value: texts[1]})
	}
	if !ok || e.Err != nil {
		w.Refuse("is not an array of names and values")
		return
	}
	w.last.keep(array, *headers)
}

// LastHeaders are the header fields that were read last. Those of most requests
// are like those of the one before, so that they need not be read again. The zero
// value is ready.
type LastHeaders struct {
	array   []byte
	headers []session.Header
}

// maxLast is how long an array of header fields may be to be kept, in bytes.
const maxLast = 1 << 10

func (l *LastHeaders) are(array []byte) bool {
	return l != nil && len(l.array) > 0 && string(l.array) == string(array)
}

func (l *LastHeaders) keep(array []byte, headers []session.Header) {
	if l != nil && len(array) <= maxLast {
		l.array = append(l.array[:0], array...)
		l.headers = append(l.headers[:0], headers...)
	}
}

// time reads the Unix time in milliseconds.
func (w *walk) time(now *int64) {
	value := w.Take("now")
	if value == nil {
		return
	}
	n, ok := rawjson.Int(value)
	if !ok || n < 0 {
		w.Refuse("is not the Unix time in milliseconds")
	}
	*now = n
}
