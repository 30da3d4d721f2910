package engine

import (
	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/engine/internal/sampling"
	"github.com/parley-mcp/parley/engine/internal/weburl"
	"github.com/parley-mcp/parley/rawjson"
)

// readAsks takes inputRequests apart and checks every entry: its shape, that
// the host has declared it can answer, its schema or url. One bad entry and
// nobody is asked. span is the flow's own memory: the asks point into it.
func (f *Flow) readAsks(span []byte) ([]ask, *Error) {
	n := 0
	var m rawjson.Members
	for m.Start(span); m.Next(); n++ {
		if n == f.opts.Limits.Asks {
			return nil, &Error{ErrLimit, "more than the " + rawjson.Itoa(f.opts.Limits.Asks) + " questions in one round that limits.asks allows"}
		}
	}
	if err := rawjson.Strict(span); err != nil {
		return nil, unreadable("inputRequests", err)
	}
	var asks []ask
	for m.Start(span); m.Next(); {
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
		if code, fault := a.read(m.Value, f.can); fault != "" {
			return nil, &Error{code, entryDetail(key, fault)}
		}
		a.repeat = f.wasAccepted(a.url)
	}
	return asks, nil
}

func (f *Flow) keyTooLong(has int) *Error {
	return &Error{ErrLimit, tooLong("a key of inputRequests", has, f.opts.Limits.Key, "key")}
}

// read reads and checks one embedded request. Members other than method and
// params are tolerated: the schema's own example of ListRootsRequest carries a
// stray id.
func (a *ask) read(span []byte, can Can) (code Code, fault string) {
	if !rawjson.IsObject(span) {
		return ErrMalformed, "not an object"
	}
	var method []byte
	var m rawjson.Members
	for m.Start(span); m.Next(); {
		switch {
		case m.Is("method"):
			method = m.Value
		case m.Is("params"):
			a.params = m.Value
		}
	}
	switch {
	case method == nil:
		return ErrMalformed, "no method"
	case rawjson.Is(method, string(Elicit)):
		a.kind = Elicit
	case rawjson.Is(method, string(Sample)):
		a.kind = Sample
	case rawjson.Is(method, string(ListRoots)):
		a.kind = ListRoots
	default:
		return ErrMalformed, "the method is none of elicitation/create, sampling/createMessage and roots/list"
	}
	switch {
	case a.params == nil && a.kind != ListRoots: // client/roots: its params are optional
		return ErrMalformed, "no params"
	case a.params != nil && !rawjson.IsObject(a.params):
		return ErrMalformed, "params is not an object"
	case a.kind == Elicit:
		return a.checkElicit(can)
	case a.kind == Sample && !can.Sampling:
		return ErrCapability, "sampling was not declared"
	case a.kind == Sample:
		fault, undeclared := sampling.CheckRequest(a.params, can.SamplingTools)
		if undeclared {
			return ErrCapability, fault
		}
		return ErrMalformed, fault
	case !can.Roots:
		return ErrCapability, "roots was not declared"
	}
	return 0, ""
}

// checkElicit reads an elicitation. A missing mode MUST be treated as form
// (client/elicitation, Elicitation Requests). Servers MUST NOT use a mode that
// was not declared (client/elicitation, Capabilities).
func (a *ask) checkElicit(can Can) (code Code, fault string) {
	a.mode = Form
	var message, schema, url []byte
	var m rawjson.Members
	for m.Start(a.params); m.Next(); {
		switch {
		case m.Is("mode"):
			switch {
			case rawjson.Is(m.Value, string(Form)):
			case rawjson.Is(m.Value, string(URL)):
				a.mode = URL
			default:
				return ErrMalformed, `mode is neither "form" nor "url"`
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
	case a.mode == Form && !can.Form:
		return ErrCapability, "elicitation in form mode was not declared"
	case a.mode == URL && !can.URL:
		return ErrCapability, "elicitation in url mode was not declared"
	case !rawjson.IsString(message):
		return ErrMalformed, "message is not a string"
	case a.mode == Form && schema == nil:
		return ErrMalformed, "no requestedSchema"
	case a.mode == Form:
		if _, problem := form.Parse(schema); problem != nil {
			return ErrMalformed, problem.Error()
		}
		a.schema = schema
		return 0, ""
	}
	text, ok := rawjson.Unquote(url)
	if !ok {
		return ErrMalformed, "url is not a string"
	}
	hints, fault := weburl.Check(text)
	a.url, a.host, a.loopback, a.punycode = text, hints.Host, hints.Loopback, hints.Punycode
	return ErrMalformed, fault
}

func (f *Flow) wasAccepted(url string) bool {
	for _, accepted := range f.accepted[:f.acceptedBefore] {
		if url != "" && accepted == url {
			return true
		}
	}
	return false
}
