package session

import (
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/relay"
)

// replied is the answer to a question of the server, over HTTP.
type replied struct {
	id        []byte
	leg       int64  // id of the request that it was asked for, 0 if the call refused by itself
	unsent    bool   // of one that had none yet
	sessionID string // that it was asked in
	body      []byte // nil once the server has it, or there is no use in trying again
	exchange  int
	epoch     int // of the sign-ins when it was sent
	tries     int
}

const (
	maxReplied = 256 // answers that are remembered, beside what people answered legs in flight
	maxTries   = 3   // one answer is sent
)

// reply answers a request of the server at once.
func (s *Session) reply(q *asked, a relay.Reply) { s.send(Post{Body: q.replyBody(a)}, q.sessionID) }

func (s *Session) replyError(q *asked, code int, message string) {
	s.reply(q, relay.Reply{Code: code, Message: message})
}

// answerAsk answers what a call was asked. Where the server has taken it back,
// or its leg is over, nobody waits for that.
func (s *Session) answerAsk(c *call, a relay.Reply) {
	e := &s.earlier
	for i, q := range e.asks {
		if q.call == c && string(q.id) == string(a.Request) {
			e.asks = without(e.asks, i)
			s.answer(replied{id: q.id, leg: q.leg, unsent: q.unsent, sessionID: q.sessionID, body: q.replyBody(a)})
			if q.unsent {
				s.rootsAnswered(a.Result != nil)
			}
			return
		}
	}
}

// replyBody is the answer to a question: with its state, and with the task
// that it is related to.
func (q *asked) replyBody(a relay.Reply) []byte {
	t := &text{}
	t.Put(`{"jsonrpc":"2.0","id":`)
	t.Raw(q.id)
	drafts.PutState(&t.Writer, q.state)
	if a.Result != nil {
		t.Put(`,"result":`)
		t.withTask(a.Result, q.task())
	} else {
		t.Put(`,"error":{"code":`)
		t.Int(int64(a.Code))
		t.Put(`,"message":`)
		t.Quoted(a.Message)
		t.Put("}")
	}
	t.Put("}")
	return t.Dst
}

// answer sends the answer to a question, and remembers it.
func (s *Session) answer(a replied) {
	a.exchange, a.epoch = s.send(Post{Body: a.body}, a.sessionID), s.signIn.epoch
	if s.stdio() {
		return
	}
	if a.tries++; a.tries == maxTries {
		a.body = nil
	}
	e := &s.earlier
	if len(e.replied) >= maxReplied {
		e.forgetReplied(s)
	}
	e.replied = append(e.replied, a)
}

// forgetReplied lets go of the oldest answer whose leg is over or that nobody
// was asked for, which costs no round. There are no more of the others than
// the rounds of the legs in flight allow.
func (e *earlier) forgetReplied(s *Session) {
	for i := range e.replied {
		if s.requests.get(e.replied[i].leg) == nil {
			e.replied = append(e.replied[:i], e.replied[i+1:]...)
			return
		}
	}
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

// isReplied reports whether a question was answered before. For the same leg it
// is a copy; one that was refused unasked may be refused again. On another
// stream than the leg's own one, which may bring again what was on that, it can
// only be known by its id. On their own streams two legs may have the same ids:
// some servers count anew with each.
func (e *earlier) isReplied(id []byte, sessionID string, r *request, guessed bool) bool {
	for i := range e.replied {
		a := &e.replied[i]
		if string(a.id) == string(id) && a.sessionID == sessionID && (guessed || r.isTakenUp() || a.leg == r.id) {
			return true
		}
	}
	return false
}
