package parley

import (
	"errors"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// news is what the call's goroutine performs next: an action of the call, or an exchange.
type news struct {
	action any
	cause  error // what failed, if the action says that something did
}

// toSave is a Save with its snapshot.
type toSave struct{ snapshot []byte }

// ending is how the call ends.
type ending struct {
	out Outcome
	err error
}

// hand hands an action of the core to the call. What needs the core is done here, in its
// place among the actions.
func (s *Session) hand(m *machine, c *call, action engine.Action, cause error) {
	switch a := action.(type) {
	case engine.Save:
		snapshot, err := m.core.Snapshot(c.number)
		if err != nil && !isUsage(err) {
			s.trapped(m, err)
			return
		}
		if err != nil {
			go c.report(askResult{event: engine.SaveFailed{}, cause: err})
			return
		}
		c.put(news{action: toSave{snapshot}})
	case engine.Wait:
		c.setTimer(a.Until)
	case engine.Done:
		c.put(news{action: ending{out: Outcome{Result: a.Result, NoStore: a.NoStore, Cached: a.Cached, Next: a.Next, Lacks: a.Lacks}}})
	case engine.Parked, engine.Failed:
		end, err := c.end(m, action, cause)
		if err != nil {
			s.trapped(m, err)
			return
		}
		c.put(news{action: end})
	default:
		c.put(news{action: action, cause: cause})
	}
}

// end is how a call ends that is not done. The error is a trap.
func (c *call) end(m *machine, action engine.Action, cause error) (ending, error) {
	failed, isFailed := action.(engine.Failed)
	var snapshot []byte
	var bad error
	if !isFailed || failed.Resumable {
		if snapshot, bad = m.core.Snapshot(c.number); bad != nil && !isUsage(bad) {
			return ending{}, bad
		}
	}
	if !isFailed {
		return ending{out: Outcome{Parked: bad == nil, Snapshot: snapshot}, err: bad}, nil
	}
	info, err := m.core.Info(c.number)
	if err != nil {
		return ending{}, err
	}
	e := &Error{Code: failed.Code, Detail: failed.Detail.String(), Sentence: failed.Detail, Resumable: failed.Resumable && bad == nil, InDoubt: info.InDoubt, Response: failed.Error, Cause: cause, Snapshot: snapshot}
	if bad != nil {
		e.Cause = errors.Join(cause, bad)
	}
	return ending{err: e}, nil
}

// put queues what the call's goroutine is to perform. The session's lock is held.
func (c *call) put(n news) {
	switch a := n.action.(type) {
	case ending:
		c.ended = true
	case session.Progress, session.Notification:
		most := maxProgress
		if _, ok := a.(session.Notification); ok {
			most = maxHooks
		}
		if c.flood+c.busy >= most { // the call is too busy to see it
			return
		}
		c.flood++
	}
	c.news = append(c.news, n)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// tell queues what the server says to a call, unless that is over.
func (m *machine) tell(number int, action session.Action) {
	if c := m.calls[number]; c != nil {
		c.put(news{action: action})
	}
}

// take returns all that is to be performed next. The memory of the batch before is used
// again.
func (c *call) take(before []news) (batch []news) {
	clear(before)
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	batch, c.news = c.news, before[:0]
	c.busy, c.flood = c.flood, 0
	return batch
}
