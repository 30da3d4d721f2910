package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// gate keeps a leg back that the server answered with a challenge. The session
// opens it when somebody has signed in.
type gate struct {
	shut bool // no clock but Deadline runs meanwhile

	// The server is at work on the leg, and only its stream or an answer was
	// refused. Otherwise nothing of it was carried out: it is not in flight.
	sent bool

	adopted bool // the principal is who signed in for this call, which nobody has seen yet
	open    bool // the last question is; another call may be asked in place of this one
	asked   int  // questions of this call; the last one's ask id is minus this
	before  int  // of them, before the last Begin
	params  []byte
	shownAt int64
	tries   int
}

// maxAuthorizations is how often somebody is asked to sign in for one call,
// until a person begins it again.
const maxAuthorizations = 5

// challenged takes it that a leg waits for somebody to sign in.
func (f *Flow) challenged(ev relay.Challenged) *Error {
	g := &f.gate
	inFlight, err := f.checkLeg(ev.Leg)
	if err != nil || !inFlight && !g.shut {
		return err
	}
	if g.shut, g.sent = true, !ev.Unsent; inFlight && ev.Unsent {
		f.notSent()
	}
	switch {
	case ev.Denied != "":
		f.unauthorized(ev.Denied)
	case f.status == parking && !g.sent:
		f.stop()
	case ev.Params == nil:
	case g.asked-g.before == maxAuthorizations:
		f.unauthorized(count("the server still wants authorization after {0} sign-ins for this call", maxAuthorizations))
	case !f.overdue():
		g.asked++
		g.params, g.open, g.shownAt, g.tries = append([]byte(nil), ev.Params...), true, f.now, 0
		f.mustSave()
		f.noteAsk(audit.Asked, -g.asked, "")
		f.putGate("")
	}
	return nil
}

func (f *Flow) putGate(problem sentence.Text) {
	f.do(Ask{ID: -f.gate.asked, Kind: KindAuthorize, Params: f.gate.params, Round: f.round, Problem: problem})
}

// authorize takes what the host did with the question.
func (f *Flow) authorize(ev relay.Authorize) *Error {
	g := &f.gate
	switch {
	case ev.Ask < -g.asked:
		return newError(fault.Order, count("ask {0} was never asked", ev.Ask))
	case !g.open || ev.Ask != -g.asked:
	case ev.Park && !g.sent:
		f.stop()
	case ev.Park:
		f.authorizeAgain("the server is at work on the call, so it cannot be parked now")
	case ev.Raw == nil:
		g.open = false // the host closed it itself
		f.unauthorized(reason("nobody signed in", ev.Reason))
	default:
		account, flaw := accountOf(ev.Raw)
		if flaw != "" {
			f.authorizeAgain(flaw)
			return nil
		}
		g.open = false
		switch {
		case account == "", account == f.opts.Principal:
		case f.opts.Principal == "":
			g.adopted, f.opts.Principal = true, account
		// The account takes the call's place by the person's consent: the server's
		// authorization server changed.
		case !g.sent && (g.adopted && !f.looped || rawjson.Lists(rawjson.Member(ev.Raw, "replaces"), f.opts.Principal)):
			f.opts.Principal = account
		default:
			f.unauthorized("another account signed in than the call's")
			f.do(Relay{relay.Replaced{Account: account}})
			return nil
		}
		f.noteAsk(audit.Answered, ev.Ask, "")
		f.do(Relay{relay.Authorized{Account: f.opts.Principal}})
	}
	return nil
}

// authorizeAgain puts the question again.
func (f *Flow) authorizeAgain(problem sentence.Text) {
	if f.gate.tries++; f.gate.tries < f.opts.MaxTries {
		f.putGate(problem)
		return
	}
	f.gate.open = false
	f.unauthorized(problem)
}

// unauthorized ends the call. Where only the stream of a tool's answer was
// refused, the tool may have run.
func (f *Flow) unauthorized(words sentence.Text) {
	if f.method == "tools/call" && !f.mayResend() && f.gate.sent {
		f.fail(fault.InDoubt, reason(mayHaveRun, words))
		return
	}
	f.fail(fault.Unauthorized, words)
}

// accountOf reads the answer to the question.
func accountOf(raw []byte) (account string, flaw sentence.Text) {
	if rawjson.Strict(raw) != nil || !rawjson.IsObject(raw) {
		return "", "the answer is not a JSON object"
	}
	if label := rawjson.Member(raw, "account"); label != nil {
		if account, _ = rawjson.Unquote(label); account == "" || len(account) > maxLabel {
			return "", "account is not a label"
		}
	}
	return account, ""
}

// released takes it that the leg goes out again, or is lost for another reason.
func (f *Flow) released(ev relay.Released) {
	g := &f.gate
	if !g.shut || ev.Leg != f.leg {
		return
	}
	f.closeGate()
	g.shut = false
	f.legSent, f.legSeen = f.now, f.now
	if !g.sent {
		f.phase = flying
	}
	if ev.Lost {
		return
	}
	if !g.sent { // what is kept says that nothing is in flight
		f.mustSave()
	}
	f.note(audit.Resent)
	if !g.sent {
		f.resend()
	}
}

// resend has the session send the leg at hand that it has not sent yet, or that the
// server refused before it carried anything out.
func (f *Flow) resend() {
	f.mustSave()
	f.do(Relay{relay.Resend{Leg: f.leg}})
}

// closeGate withdraws the question.
func (f *Flow) closeGate() {
	if f.gate.open {
		f.gate.open = false
		f.takeBack(-f.gate.asked)
	}
}
