package parley

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/sentence"
)

// machine is a core and everything that ends with it. The session's lock guards it.
type machine struct {
	core         SessionCore
	calls        map[int]*call
	exchanges    map[int]*exchange // that have not ended; over one connection, that are not written
	ended        bool
	isSubscribed bool
	line         context.Context // of the exchanges over the connection at hand
	hangUp       context.CancelFunc
	timer        *time.Timer
	sliced       map[int]bool // exchanges of which a message is being fed
	owed         int          // exchanges under way that the server brought about
	hanging      int          // connections that have ended, which the core has yet to hear
}

// step feeds an event and performs what follows from it. cause is what failed, if the
// event says that something did.
func (s *Session) step(ev session.Event, cause error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.use()
	if err != nil {
		return err
	}
	return s.advance(m, ev, nil, cause)
}

// advance is step for who holds the lock. body is the whole of a message that came in
// slices, nil for any other event.
func (s *Session) advance(m *machine, ev session.Event, body []byte, cause error) error {
	actions, err := m.core.Step(s.clock.now(), ev)
	if err != nil {
		s.trapped(m, err)
		return err
	}
	_, heard := ev.(session.Message)
	for i := 0; i < len(actions) && s.machine == m; i++ {
		a := actions[i]
		if from, ok := a.(session.From); ok && body != nil {
			if done, ok := from.Action.(engine.Done); ok {
				a = session.From{Call: from.Call, Action: done.In(body)}
			}
		}
		if unsent := s.perform(m, a, heard, cause); unsent != nil { // before the next action
			rest := slices.Clone(actions[i+1:])
			if err := s.advance(m, *unsent, nil, nil); err != nil {
				return nil // every call has its end
			}
			actions, i = rest, -1
		}
	}
	clear(actions)
	return nil
}

// perform hands an action of a call to its goroutine, and performs any other. heard says
// that the server brought it about. It returns what became of an exchange that had not
// begun and is not to.
func (s *Session) perform(m *machine, action session.Action, heard bool, cause error) (unsent *session.Ended) {
	switch a := action.(type) {
	case session.From:
		if c := m.calls[a.Call]; c != nil {
			s.hand(m, c, a.Action, cause)
		}
	case session.Progress:
		m.tell(a.Call, action)
	case session.Notification:
		if c := m.calls[a.Call]; c == nil || c.watchers.OnNotification == nil {
			s.tell(action)
		} else {
			m.tell(a.Call, action)
		}
	case session.Ready:
		s.shape.Known = a.Version
		s.tell(action)
	case session.Post:
		if unsent = m.drop(a.Cancels); unsent == nil {
			s.begin(m.hold(s, &exchange{number: a.Exchange, call: m.calls[a.Call], action: a, own: a.Call == 0, owed: heard && a.Call == 0}))
		}
	case session.Request:
		s.begin(m.hold(s, &exchange{number: a.Exchange, call: m.calls[a.Call], action: a, own: a.Call == 0}))
	case session.Recall:
		s.begin(m.hold(s, &exchange{number: a.Exchange, call: m.calls[a.Call], action: a}))
	case session.Listen:
		s.beginAt(a.At, m.hold(s, &exchange{number: a.Exchange, action: a}))
	case session.Delete:
		s.beginLast(m, m.hold(s, &exchange{number: a.Exchange, action: a, own: true}))
	case session.Abort:
		if unsent = m.drop(a.Exchange); unsent == nil && m.exchanges[a.Exchange] != nil {
			s.over(m.exchanges[a.Exchange])
		}
	case session.Keep:
		s.results.keep(a)
	case session.Forget:
		s.results.forget(a.Prefix)
	case session.Wait:
		s.wait(m, a.Until)
	default:
		s.tell(action)
	}
	return unsent
}

func (s *Session) wait(m *machine, until int64) {
	if m.timer != nil {
		m.timer.Stop()
		m.timer = nil
	}
	if until != 0 {
		m.timer = time.AfterFunc(s.clock.until(until), func() { s.report(m, session.Tick{}, nil, false) })
	}
}

const (
	// maxOwed is how many messages the server may bring about, such as answers to its
	// pings, before no more of its own are read.
	maxOwed = 256

	maxHooks    = 1024 // calls of hooks that wait, and as many again that are about to be made
	maxProgress = 64   // progress that waits for its call, which is busy
)

// report takes what came of an exchange. What comes of another machine's is dropped.
// mayWait says that no exchange waits for report to return.
func (s *Session) report(m *machine, ev session.Event, cause error, mayWait bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.machine != m {
		return
	}
	if err := s.heard(m, ev, cause); err != nil && isUsage(err) {
		s.tell(session.Warning{Text: sentence.Say("the transport: {0}", said(err))})
	}
	// A server that sends more than can be answered is not read. A transport that says
	// that its connection ended goes on when the core has heard of it.
	for mayWait && s.machine == m && (m.owed > maxOwed || m.hanging > 0) && !m.ended {
		s.eased.Wait()
	}
}

func (s *Session) heard(m *machine, ev session.Event, cause error) error {
	number, ends := 0, false
	switch e := ev.(type) {
	case session.Opened:
		number = e.Exchange
	case session.Message:
		number, ends = e.Exchange, e.Last
	case session.Ended:
		number, ends = e.Exchange, true
	case session.Down:
		if s.isOrdered() {
			s.hungUp(m, e, cause)
		}
		return nil
	case session.Tick:
		return s.advance(m, ev, nil, nil)
	default:
		return nil // the rest is not a transport's to say
	}
	for m.sliced[number] { // by another goroutine: it is before this
		s.eased.Wait()
	}
	x := m.exchanges[number]
	if s.machine != m || x == nil && !s.isOrdered() {
		return nil
	}
	var body []byte
	if message, ok := ev.(session.Message); ok && len(message.Body) > maxSlice {
		body = message.Body
		if ev, ok = s.slice(m, x, message); !ok {
			return nil
		}
	}
	if x != nil && ends {
		s.over(x)
	}
	return s.advance(m, ev, body, cause)
}

// maxSlice is how much of a message is fed at once: others wait for the session's lock no
// longer than that takes.
const maxSlice = 256 << 10

// slice feeds all slices of a message but the last one, which it returns. Between them
// others have the lock. It stops if the message is not wanted any more.
func (s *Session) slice(m *machine, x *exchange, message session.Message) (last session.Message, goesOn bool) {
	m.sliced[message.Exchange] = true
	defer func() {
		delete(m.sliced, message.Exchange)
		s.eased.Broadcast()
	}()
	for len(message.Body) > maxSlice {
		if s.advance(m, session.Part{Exchange: message.Exchange, Body: message.Body[:maxSlice]}, nil, nil) != nil {
			return message, false
		}
		message.Body = message.Body[maxSlice:]
		s.mu.Unlock()
		runtime.Gosched()
		s.mu.Lock()
		if s.machine != m {
			return message, false
		}
		if x != nil && x.isOver && (!s.isOrdered() || x.isRecall()) {
			s.advance(m, session.Ended{Exchange: message.Exchange}, nil, nil) // so that the core forgets what it has
			return message, false
		}
	}
	return message, true
}
