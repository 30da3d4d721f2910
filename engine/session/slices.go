package session

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
)

// inbound is a message of the server, taken apart just far enough to know whom
// it concerns.
type inbound struct {
	id     []byte // nil if it has none
	method string // "" of a response
	params []byte // nil if it has none, or one that is longer than is kept
	failed bool   // a response with an error
	asks   bool   // a response that asks in place of a result
	error  []byte // of a response
	code   int    // of its error, 0 if that is no integer
	in     *message.Message
}

// unusableID stands for an id that is longer than is kept: it names nothing.
var unusableID = []byte("false")

// heard is what a message says that has been scanned. One that asks in place of
// a result is held to what JSON-RPC says of a response as if it had a result; it
// comes back as neither a request, a result nor an error.
func (s *Session) heard(in *message.Message) (msg inbound, bad *rawjson.Error) {
	asks := s.asks(in)
	if bad = in.Err(asks); bad != nil {
		return msg, bad
	}
	if !in.HasVersion() && !s.takesWithout(in) {
		return msg, &rawjson.Error{Offset: -1, Reason: message.NoVersion}
	}
	msg = inbound{
		id: in.Text(message.ID), params: in.Text(message.Params),
		failed: in.Has(message.Error), error: in.Text(message.Error), asks: asks, in: in,
	}
	if msg.failed {
		msg.code = errorCode(msg.error)
	}
	if in.Has(message.ID) && msg.id == nil {
		msg.id = unusableID
	}
	if in.Has(message.Method) {
		var ok bool
		if msg.method, ok = rawjson.Unquote(in.Text(message.Method)); !ok || msg.method == "" {
			return inbound{}, &rawjson.Error{Offset: -1, Reason: "the method is empty or not Unicode text"}
		}
		if isNotification(msg.method) { // whatever its id is
			msg.id = nil
		}
	}
	return msg, nil
}

// asks reports whether a message asks in place of a result, in the dialect of the
// call that it is for or, if that is not known, of the session.
func (s *Session) asks(in *message.Message) bool {
	dialect := s.opts.dialect
	id, _ := s.readID(in.Text(message.ID))
	if r := s.requests.get(id); r != nil && r.call != nil {
		dialect = r.call.dialect
	}
	return dialect.Asks(in)
}

// isNotification reports whether a method is one of a notification.
func isNotification(method string) bool {
	const prefix = "notifications/"
	return len(method) > len(prefix) && method[:len(prefix)] == prefix
}

// takesWithout reports whether a message is taken that does not say "jsonrpc":"2.0":
// the response to a request of ours, and whatever else a server sends that answers so.
func (s *Session) takesWithout(in *message.Message) bool {
	if s.opts.Transport == Requests || s.versionless {
		return true
	}
	if in.Has(message.Method) || s.byID(in.Text(message.ID)) == nil {
		return false
	}
	s.versionless = true
	s.do(Warning{"the server leaves out \"jsonrpc\":\"2.0\": what it sends is taken all the same"})
	return true
}

// slices are the beginning of a message whose end has not come.
type slices struct {
	exchange int
	in       *message.Body
}

const minKept = 1 << 20 // bytes of a member that are kept at least: as much as maxParams and maxEntry

// part takes a slice of a message.
func (s *Session) part(ev Part) {
	i := s.sliced(ev.Exchange)
	if i < 0 {
		in := &message.Body{}
		in.Reset(s.most, s.stdio())
		i = len(s.slices)
		s.slices = append(s.slices, slices{ev.Exchange, in})
	}
	s.slices[i].in.Add(ev.Body)
}

// sliced is the place of what has come of a message, -1 if nothing has.
func (s *Session) sliced(exchange int) int {
	for i := range s.slices {
		if s.slices[i].exchange == exchange {
			return i
		}
	}
	return -1
}

// dropSlices forgets the beginning of a message.
func (s *Session) dropSlices(exchange int) {
	if i := s.sliced(exchange); i >= 0 {
		last := len(s.slices) - 1
		s.slices[i] = s.slices[last]
		s.slices[last] = slices{}
		s.slices = s.slices[:last]
	}
}

// scan reads the end of what came of an exchange at once, which may be all of it.
func (s *Session) scan(ev Message) *message.Body {
	in := &s.whole
	if i := s.sliced(ev.Exchange); i >= 0 {
		in = s.slices[i].in
		s.dropSlices(ev.Exchange)
	} else {
		in.Reset(s.most, s.stdio())
	}
	in.Close(ev.Body)
	return in
}

// kept is a message that stays when its Step is over.
func (s *Session) kept(in *message.Message) *message.Message {
	if in.IsCut() {
		return in
	}
	return message.Read(clone(in.Whole()), s.most)
}

func (s *Session) abort(exchange int) {
	s.dropSlices(exchange)
	s.do(Abort{exchange})
}
