package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/sentence"
)

// ask is one entry of inputRequests.
type ask struct {
	name   []byte // the key's token as the server wrote it, for the retry
	key    string
	kind   Kind
	mode   Mode
	params []byte // nil where absent

	schema             []byte // of a form
	drawn              bool   // by the host, from a schema that Parley cannot read
	url, host          string // of a url
	loopback, punycode bool
	repeat             bool // this very url was accepted before

	shown   bool  // handed to the host
	shownAt int64 // when
	tries   int   // answers that could not be sent
	answer  []byte

	// Of a question that a server of an earlier era asked by a request of its
	// own; answer then only says that it was replied to.
	request []byte // the request's id
	span    []byte // its method and params, as an embedded request
}

// showAsks hands out questions in the server's order, as many as may be open
// at once, and goes on to the next leg when all are answered.
func (f *Flow) showAsks() {
	open, answered := 0, 0
	for i := range f.asks {
		a := &f.asks[i]
		if a.answer != nil {
			answered++
			continue
		}
		if f.opts.AskConcurrency > 0 && open == f.opts.AskConcurrency {
			break
		}
		open++
		if a.shown {
			continue
		}
		if f.overdue() { // nobody is asked for an answer that cannot be sent
			return
		}
		a.shown, a.shownAt, a.tries = true, f.now, 0
		f.issued = max(f.issued, f.firstAsk+i)
		f.mustSave()
		f.noteAsk(audit.Asked, f.firstAsk+i, "")
		f.put(f.firstAsk+i, "")
	}
	switch {
	case answered < len(f.asks):
	case f.phase == serving:
		f.allServed()
	case f.opensURLs() && !f.urlsSettled():
	case f.now < f.notBefore:
		f.wakeAt = f.notBefore
		f.phase = pacing
	default:
		f.send()
	}
}

// put hands a question out.
func (f *Flow) put(id int, problem sentence.Text) {
	a := &f.asks[id-f.firstAsk]
	f.do(Ask{
		ID: id, Key: a.key, Kind: a.kind, Mode: a.mode, Params: a.params, Round: f.round,
		Host: a.host, Loopback: a.loopback, Punycode: a.punycode, Repeat: a.repeat,
		Problem: problem, Earlier: f.earlier.content(a),
	})
}

// askAgain puts an open question again whose answer cannot be sent. After
// MaxTries it counts as refused.
func (f *Flow) askAgain(id int, problem sentence.Text) {
	a := &f.asks[id-f.firstAsk]
	if a.tries++; a.tries < f.opts.MaxTries {
		f.put(id, problem)
		return
	}
	f.refuse(Refuse{Ask: id, Reason: sentence.Say("no answer could be sent after {0} tries: {1}", number(a.tries), problem)}) // cannot fail: it is open
}

// refuse ends the flow because a question cannot be answered: a refusal has no
// shape on the wire, and a partial retry would violate mrtr, Client
// Requirements 1. What was answered before stays answered.
func (f *Flow) refuse(ev Refuse) *Error {
	a, err := f.openAsk(ev.Ask)
	if a == nil {
		return err
	}
	if a.request != nil {
		f.replyRefused(a)
		return nil
	}
	a.shown = false // the host closed it itself: nothing to withdraw
	f.fail(fault.Refused, reason(entryDetail(a.key, "the host refused"), ev.Reason))
	return nil
}

// openAsk finds the open question with an ask id: nil if it is closed, an
// error if the id was never handed out.
func (f *Flow) openAsk(id int) (*ask, *Error) {
	if id < 1 || id > f.issued {
		return nil, newError(fault.Order, count("ask {0} was never asked", id))
	}
	i := id - f.firstAsk
	isOpen := f.phase == asking && f.status == live || f.phase == serving && (f.status == live || f.status == parking)
	if !isOpen || i < 0 || !f.asks[i].shown || f.asks[i].answer != nil {
		return nil, nil
	}
	return &f.asks[i], nil
}

// withdraw closes every open question.
func (f *Flow) withdraw() {
	f.closeGate()
	if f.phase != asking && f.phase != serving {
		return
	}
	for i := range f.asks {
		if a := &f.asks[i]; a.shown && a.answer == nil {
			a.shown = false
			f.takeBack(f.firstAsk + i)
		}
	}
}

func (f *Flow) takeBack(id int) {
	if f.unask(id) {
		return
	}
	f.noteAsk(audit.Withdrawn, id, "")
	f.do(Withdraw{Ask: id})
}
