package parley

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// Watchers are told about one call. They are called from the goroutine of the
// call, in order and not after it has returned, and must not block. One that
// panics takes nothing down with it.
type Watchers struct {
	// OnNote gets audit records, if Options.Audit asks for them.
	OnNote func(engine.Note)

	// OnProgress gets the params of progress notifications of a leg.
	OnProgress func(leg int, params []byte)

	// OnTask is told the status of the task that the call has become.
	OnTask func(engine.Task)

	// OnLeg is told what goes out and what comes back, OnPause that the call
	// waits for a time.
	OnLeg   func(engine.Leg)
	OnPause func(engine.Pause)

	// OnNotification gets the server's other notifications, in place of the
	// session's, if they are known to belong to the call, as they are over
	// HTTP.
	OnNotification func(method string, params []byte)
}

// tell calls who watches for what happened.
func (w *Watchers) tell(a any) {
	switch a := a.(type) {
	case engine.Note:
		if w.OnNote != nil {
			w.OnNote(a)
		}
	case engine.Task:
		if w.OnTask != nil {
			w.OnTask(a)
		}
	case engine.Leg:
		if w.OnLeg != nil {
			w.OnLeg(a)
		}
	case engine.Pause:
		if w.OnPause != nil {
			w.OnPause(a)
		}
	case session.Progress:
		if w.OnProgress != nil {
			w.OnProgress(a.Leg, a.Params)
		}
	case session.Notification:
		if w.OnNotification != nil {
			w.OnNotification(a.Method, a.Params)
		}
	}
}

// SessionWatchers are told about a session. They are called one after another
// from a goroutine of their own, and not after [Session.Close], which waits for
// them: none may call it. While one blocks, notifications beyond 2,048 are lost,
// which OnWarning is told.
type SessionWatchers struct {
	// OnReady is told which protocol version is spoken, as soon as that is
	// known and again if it changes; what it says there about the server is
	// self-reported.
	OnReady func(session.Ready)

	// OnNotification gets the server's notifications, but for progress, which
	// goes to Watchers.OnProgress of its call.
	OnNotification func(method string, params []byte)

	// OnSubscribed is told what of the last [Session.Subscribe] the server will
	// tell of, or why it tells of nothing; OnChanged what has changed or, after a
	// while in which nothing was heard, may have. What OnChanged is told
	// OnNotification is not.
	OnSubscribed func(session.Subscribed)
	OnChanged    func(session.Changed)

	// OnWarning is told what was left out or ignored of what the server sent.
	OnWarning func(text string)
}

func (w *SessionWatchers) watch(a session.Action) bool {
	switch a.(type) {
	case session.Ready:
		return w.OnReady != nil
	case session.Notification:
		return w.OnNotification != nil
	case session.Subscribed:
		return w.OnSubscribed != nil
	case session.Changed:
		return w.OnChanged != nil
	case session.Warning:
		return w.OnWarning != nil
	}
	return false
}

func (w *SessionWatchers) tell(a session.Action) {
	if !w.watch(a) {
		return
	}
	switch a := a.(type) {
	case session.Ready:
		w.OnReady(a)
	case session.Notification:
		w.OnNotification(a.Method, a.Params)
	case session.Subscribed:
		w.OnSubscribed(a)
	case session.Changed:
		w.OnChanged(a)
	case session.Warning:
		w.OnWarning(a.Text.String())
	}
}

// tell tells who watches the session, in order and without the lock.
func (s *Session) tell(a session.Action) {
	watchers, log := &s.opts.Watchers, s.opts.Logger
	if s.broken == ErrSessionClosed || log == nil && !watchers.watch(a) {
		return
	}
	told := func(a session.Action) func() {
		return func() {
			if log != nil {
				logTold(log, a)
			}
			watchers.tell(a)
		}
	}
	most := maxHooks
	isNotice := false
	switch a.(type) {
	case session.Ready, session.Subscribed:
		most = 0
	case session.Notification, session.Changed:
		isNotice = true
	}
	lost := !s.hooks.add(told(a), most)
	if isNotice {
		if lost && !s.losing {
			s.hooks.add(told(session.Warning{Text: "notifications are lost, because OnNotification or OnChanged takes too long"}), 0)
		}
		s.losing = lost
	}
}
