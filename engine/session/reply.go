package session

import (
	"strconv"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/internal/rawjson"
)

// replied is the answer to a question of the server, over HTTP.
type replied struct {
	id       []byte
	body     []byte // nil once the server has it, or there is no use in trying again
	exchange int
	tries    int
}

const (
	maxReplied = 256 // answers that are remembered
	maxTries   = 3   // one answer is sent
)

// reply answers a request of the server.
func (s *Session) reply(a engine.Reply) {
	body := append(append([]byte(nil), `{"jsonrpc":"2.0","id":`...), a.Request...)
	if a.Result != nil {
		body = append(append(body, `,"result":`...), a.Result...)
	} else {
		body = strconv.AppendInt(append(body, `,"error":{"code":`...), int64(a.Code), 10)
		body = append(rawjson.AppendQuoted(append(body, `,"message":`...), a.Message), '}')
	}
	body = append(body, '}')
	e := &s.earlier
	for i := range e.asks {
		if string(e.asks[i].id) == string(a.Request) {
			e.asks = append(e.asks[:i], e.asks[i+1:]...)
			s.answer(replied{id: clone(a.Request), body: body})
			return
		}
	}
	s.send(body)
}

// answer sends the answer to a question, and remembers it.
func (s *Session) answer(a replied) {
	a.exchange = s.send(a.body)
	if s.stdio() {
		return
	}
	if a.tries++; a.tries == maxTries {
		a.body = nil
	}
	e := &s.earlier
	if len(e.replied) == maxReplied {
		e.replied = append(e.replied[:0], e.replied[1:]...)
	}
	e.replied = append(e.replied, a)
}

// answerEnded sends an answer again whose connection broke: a person's work is
// in it, and the server waits. It does no harm if the server had it.
func (s *Session) answerEnded(exchange, status int) {
	e := &s.earlier
	for i, a := range e.replied {
		if a.exchange != exchange {
			continue
		}
		if status == 0 && a.body != nil && !s.closed {
			e.replied = append(e.replied[:i], e.replied[i+1:]...)
			s.answer(a)
		} else {
			e.replied[i].body = nil
		}
		return
	}
}

// isReplied reports whether a question was answered before: a stream that is
// taken up may bring it again, although it should not.
func (e *earlier) isReplied(id []byte) bool {
	for i := range e.replied {
		if string(e.replied[i].id) == string(id) {
			return true
		}
	}
	return false
}
