package engine

import "strconv"

// ask is one entry of inputRequests.
type ask struct {
	name   []byte // the key's token as the server wrote it, for the retry
	key    string
	kind   Kind
	mode   Mode
	params []byte // nil where absent

	schema             []byte // of a form
	url, host          string // of a url
	loopback, punycode bool
	repeat             bool // this very url was accepted before

	shown   bool  // handed to the host
	shownAt int64 // when
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
		a.shown, a.shownAt = true, f.now
		f.issued = max(f.issued, f.firstAsk+i)
		f.noteAsk(NoteAsked, f.firstAsk+i, "")
		f.do(Ask{
			ID: f.firstAsk + i, Key: a.key, Kind: a.kind, Mode: a.mode, Params: a.params, Round: f.round,
			Host: a.host, Loopback: a.loopback, Punycode: a.punycode, Repeat: a.repeat,
		})
	}
	switch {
	case answered < len(f.asks):
	case f.phase == serving:
		f.dropServed()
	case f.opensURLs() && !f.urlsSettled():
	case f.now < f.notBefore:
		f.wakeAt = f.notBefore
		f.phase = pacing
	default:
		f.send()
	}
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
	f.fail(ErrRefused, reason(entryDetail(f.leg, a.key, "the host refused"), ev.Reason))
	return nil
}

// openAsk finds the open question with an ask id: nil if it is closed, an
// error if the id was never handed out.
func (f *Flow) openAsk(id int) (*ask, *Error) {
	if id < 1 || id > f.issued {
		return nil, &Error{ErrOrder, "ask " + strconv.Itoa(id) + " was never asked"}
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
	if f.phase != asking && f.phase != serving {
		return
	}
	for i := range f.asks {
		if a := &f.asks[i]; a.shown && a.answer == nil {
			a.shown = false
			f.noteAsk(NoteWithdrawn, f.firstAsk+i, "")
			f.do(Withdraw{Ask: f.firstAsk + i})
		}
	}
}
