package parley

import "time"

// alarm wakes a call when its time has come. It goes from call to call with the
// time that it is set to: calls rarely last as long as they may, so it is seldom
// set again, and goes off early for one that has more time. The session's lock
// guards all of it.
type alarm struct {
	timer *time.Timer
	at    int64        // when it goes off, in Unix milliseconds; 0 if it is not set
	call  *sessionCall // nil while nobody has it
}

// mostAlarms is how many alarms that nobody has a session keeps.
const mostAlarms = 64

// wake has a call woken at a time, in Unix milliseconds, in place of the time
// before.
func (s *Session) wake(c *sessionCall, at int64) {
	c.due = at
	a := c.alarm
	if a == nil {
		if last := len(s.alarms) - 1; last >= 0 {
			a, s.alarms = s.alarms[last], s.alarms[:last]
		} else {
			a = &alarm{}
		}
		c.alarm, a.call = a, c
	}
	if a.at == 0 || at < a.at {
		s.set(a, at)
	}
}

func (s *Session) set(a *alarm, at int64) {
	a.at = at
	if wait := s.clock.until(at); a.timer == nil {
		a.timer = time.AfterFunc(wait, func() { s.goesOff(a) })
	} else {
		a.timer.Reset(wait)
	}
}

// goesOff takes note that the time has come that an alarm was set to.
func (s *Session) goesOff(a *alarm) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch c, now := a.call, s.clock.now(); {
	case a.at == 0:
	case now < a.at: // it was set again meanwhile
		s.set(a, a.at)
	case c == nil:
		a.at = 0
	case now < c.due:
		s.set(a, c.due)
	default:
		a.at = 0
		c.tick()
	}
}

// unwake takes the alarm of a call that is over.
func (s *Session) unwake(c *sessionCall) {
	a := c.alarm
	if a == nil {
		return
	}
	c.alarm, a.call = nil, nil
	if len(s.alarms) < mostAlarms && !s.closed {
		s.alarms = append(s.alarms, a)
	} else {
		a.timer.Stop()
	}
}

// noAlarms stops those that nobody has.
func (s *Session) noAlarms() {
	for _, a := range s.alarms {
		a.timer.Stop()
	}
	s.alarms = nil
}
