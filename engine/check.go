package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/sampling"
	"github.com/parley-mcp/parley/engine/internal/weburl"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// readAsks takes inputRequests apart and checks every entry: its shape, that
// the host has declared it can answer, its schema or url. One bad entry and
// nobody is asked. span is the flow's own memory: the asks point into it.
func (f *Flow) readAsks(span []byte) ([]ask, *Error) {
	var m rawjson.Members
	if err := rawjson.Strict(span); err != nil {
		n := 0
		for m.StartChecked(span); m.Next(); { // it is well-formed
			if n++; n > f.opts.Limits.Asks {
				return nil, f.tooManyAsks()
			}
		}
		return nil, unreadable("inputRequests", err)
	}
	var asks []ask
	for m.StartChecked(span); m.Next(); {
		if len(asks) == f.opts.Limits.Asks {
			return nil, f.tooManyAsks()
		}
		if (len(m.Name)-2)/6 > f.opts.Limits.Key { // six bytes a character at most, as \u escapes
			return nil, f.keyTooLong(len(m.Name) - 2)
		}
		key, _ := rawjson.Unquote(m.Name) // Strict has proved it to be text
		if len(key) > f.opts.Limits.Key {
			return nil, f.keyTooLong(len(key))
		}
		asks = append(asks, ask{})
		a := &asks[len(asks)-1]
		a.name, a.key = m.Name, key
		if code, flaw := a.read(m.Value, f.can); flaw != "" {
			return nil, newError(code, entryDetail(key, flaw))
		}
		a.repeat = f.wasAccepted(a.url)
	}
	return asks, nil
}

func (f *Flow) tooManyAsks() *Error {
	return newError(fault.Limit, count("more than the {0} questions in one round that limits.asks allows", f.opts.Limits.Asks))
}

func (f *Flow) keyTooLong(has int) *Error {
	return newError(fault.Limit, tooLong("a key of inputRequests", has, f.opts.Limits.Key, "key"))
}

// read reads and checks one embedded request. Members other than method and
// params are tolerated: the schema's own example of ListRootsRequest carries a
// stray id.
func (a *ask) read(span []byte, can Can) (code fault.Code, flaw sentence.Text) {
	if !rawjson.IsObject(span) {
		return fault.Malformed, "not an object"
	}
	var method []byte
	var m rawjson.Members
	for m.StartChecked(span); m.Next(); {
		switch {
		case isNull(m.Value):
		case m.Is("method"):
			method = m.Value
		case m.Is("params") && !message.IsEmptyArray(m.Value):
			a.params = m.Value
		}
	}
	for _, kind := range [...]Kind{KindElicit, KindSample, KindListRoots} {
		if rawjson.Is(method, string(kind)) {
			a.kind = kind
		}
	}
	switch {
	case method == nil:
		return fault.Malformed, "no method"
	case a.kind == "":
		return fault.Malformed, "the method is none of elicitation/create, sampling/createMessage and roots/list"
	case a.params == nil && a.kind != KindListRoots: // client/roots: its params are optional
		return fault.Malformed, "no params"
	case a.params != nil && !rawjson.IsObject(a.params):
		return fault.Malformed, "params is not an object"
	}
	return a.check(can)
}

// check checks what an embedded request asks.
func (a *ask) check(can Can) (code fault.Code, flaw sentence.Text) {
	switch {
	case a.kind == KindElicit:
		return a.checkElicit(can)
	case a.kind == KindListRoots && !can.Roots:
		return fault.Capability, "roots was not declared"
	case a.kind == KindListRoots:
		return 0, ""
	case !can.Sampling:
		return fault.Capability, "sampling was not declared"
	}
	flaw, undeclared := sampling.CheckRequest(a.params, can.SamplingTools)
	if undeclared {
		return fault.Capability, flaw
	}
	return fault.Malformed, flaw
}

// checkElicit reads an elicitation. A missing mode MUST be treated as form
// (client/elicitation, Elicitation Requests). Servers MUST NOT use a mode that
// was not declared (client/elicitation, Capabilities).
func (a *ask) checkElicit(can Can) (code fault.Code, flaw sentence.Text) {
	a.mode = ModeForm
	var message, schema, url []byte
	var m rawjson.Members
	for m.StartChecked(a.params); m.Next(); {
		switch {
		case isNull(m.Value):
		case m.Is("mode"):
			switch {
			case rawjson.Is(m.Value, string(ModeForm)), rawjson.Is(m.Value, ""):
			case rawjson.Is(m.Value, string(ModeURL)):
				a.mode = ModeURL
			default:
				return fault.Malformed, `mode is neither "form" nor "url"`
			}
		case m.Is("message"):
			message = m.Value
		case m.Is("requestedSchema"):
			schema = m.Value
		case m.Is("url"):
			url = m.Value
		}
	}
	switch {
	case a.mode == ModeForm && !can.Form:
		return fault.Capability, "elicitation in form mode was not declared"
	case a.mode == ModeURL && !can.URL:
		return fault.Capability, "elicitation in url mode was not declared"
	case !rawjson.IsString(message):
		return fault.Malformed, "message is not a string"
	case a.mode == ModeForm && schema == nil && url != nil: // who confirms it would be taken to have opened that
		return fault.Malformed, `a url, but the mode is not "url"`
	case a.mode == ModeForm:
		a.schema = schema
		return a.checkForm(can)
	}
	text, ok := rawjson.Unquote(url)
	if !ok {
		return fault.Malformed, "url is not a string"
	}
	hints, flaw := weburl.Check(text)
	a.url, a.host, a.loopback, a.punycode = text, hints.Host, hints.Loopback, hints.Punycode
	return fault.Malformed, flaw
}

// checkForm refuses a form that Parley cannot ask for. A host that draws any
// form gets also those that the reader cannot read, but no secrets.
func (a *ask) checkForm(can Can) (code fault.Code, flaw sentence.Text) {
	_, problem := form.Parse(a.schema)
	if problem != nil && can.AnyForm && problem.Code == form.Unsupported {
		problem = form.FindSecret(a.schema)
		a.drawn = true
	}
	switch {
	case problem == nil:
		return 0, ""
	case problem.Code == form.Malformed:
		return fault.Malformed, problem.Sentence()
	}
	return fault.Form, problem.Sentence()
}

// asksAnyForm reports whether a form is open that the host has to draw itself.
func (f *Flow) asksAnyForm() bool {
	for i := range f.asks {
		if a := &f.asks[i]; a.drawn && a.answer == nil {
			return true
		}
	}
	return false
}

// isNull reports whether a value is null, which serializers write for what is absent.
func isNull(value []byte) bool { return string(value) == "null" }

func (f *Flow) wasAccepted(url string) bool {
	for _, accepted := range f.accepted[:f.acceptedBefore] {
		if url != "" && accepted == url {
			return true
		}
	}
	return false
}
