package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// AppendEvent appends an event as JSON, such as
// {"type":"answer","ask":1,"raw":"{…}"}.
func AppendEvent(dst []byte, ev engine.Event) []byte {
	w := writer{dst}
	switch ev := ev.(type) {
	case engine.Begin:
		w.open("begin")
		w.flag("resend", ev.Resend)
		w.flag("again", ev.Again)
		w.nonZero("moreRounds", int64(ev.MoreRounds))
		w.flag("save", ev.Save)
		w.flag("watch", ev.Watch)
	case engine.Response:
		w.open("response")
		w.integer("leg", int64(ev.Leg))
		w.raw("body", notNil(ev.Body))
	case engine.Lost:
		w.open("lost")
		w.integer("leg", int64(ev.Leg))
		w.string("reason", ev.Reason)
		w.flag("unsent", ev.Unsent)
	case engine.Progress:
		w.open("progress")
		w.integer("leg", int64(ev.Leg))
	case engine.Answer:
		w.open("answer")
		w.integer("ask", int64(ev.Ask))
		w.raw("raw", notNil(ev.Raw))
		w.flag("fill", ev.Fill)
	case engine.Refuse:
		w.open("refuse")
		w.integer("ask", int64(ev.Ask))
		w.string("reason", ev.Reason)
	case engine.Saved:
		w.open("saved")
	case engine.SaveFailed:
		w.open("saveFailed")
		w.string("reason", ev.Reason)
	case engine.Park:
		w.open("park")
		w.nonZero("ask", int64(ev.Ask))
	case engine.Cancel:
		w.open("cancel")
		w.flag("unsent", ev.Unsent)
	case engine.Tick:
		w.open("tick")
	case engine.Relay:
		w.relayed(ev.Message)
	default:
		w.open("")
	}
	w.close()
	return w.dst
}

// relayed opens what a session says.
func (w *writer) relayed(message relay.Message) {
	switch m := message.(type) {
	case relay.Speak:
		w.open("speak")
		w.string("dialect", m.Dialect)
	case relay.ServerAsk:
		w.open("serverAsk")
		w.integer("leg", int64(m.Leg))
		w.raw("request", notNil(m.Request))
		w.string("method", m.Method)
		w.raw("params", m.Params)
	case relay.ServerCancel:
		w.open("serverCancel")
		w.raw("request", notNil(m.Request))
	case relay.Completed:
		w.open("completed")
		w.string("elicitationId", m.ElicitationID)
	case relay.TaskChanged:
		w.open("taskChanged")
		w.string("taskId", m.TaskID)
	default:
		w.open("")
	}
}

func notNil(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

// eventFields are the members of all events; which of them an event has
// depends on its type.
type eventFields struct {
	kind      []byte // the type's token
	leg, ask  int
	body, raw []byte
	request   []byte
	params    []byte
	now       int64  // of what a callback of the plug-in came back with
	words     string // dialect, method, elicitationId or taskId
	reason    string
	resend    bool
	again     bool
	save      bool
	watch     bool
	rounds    int
	fill      bool
	unsent    bool

	// Of sessions.
	call, exchange     int
	status, retry      int
	sessionID, eventID string
	last               bool

	has fieldSet
}

type fieldSet uint32

const (
	hasLeg fieldSet = 1 << iota
	hasAsk
	hasBody
	hasRaw
	hasReason
	hasResend
	hasFill
	hasUnsent
	hasRequest
	hasParams
	hasDialect
	hasMethod
	hasElicitationID
	hasTaskID
	hasCall
	hasExchange
	hasStatus
	hasRetry
	hasSessionID
	hasEventID
	hasLast
	hasAgain
	hasMoreRounds
	hasSave
	hasWatch
)

// DecodeEvent reads an event. data is used as memory: see the package comment.
// It fails with [fault.Order].
func DecodeEvent(data []byte) (engine.Event, *engine.Error) {
	e, err := readEvent(data)
	if err != nil {
		return nil, err
	}
	return e.event()
}

func readEvent(data []byte) (*eventFields, *engine.Error) {
	e := &eventFields{}
	var o object
	o.start("event", data)
	for o.next() {
		e.read(&o)
	}
	return e, o.err
}

// read reads the current member.
func (e *eventFields) read(o *object) {
	switch {
	case o.is("type"):
		e.kind = o.m.Value
	case o.is("leg"):
		e.leg = o.small()
		e.has |= hasLeg
	case o.is("ask"):
		e.ask = o.small()
		e.has |= hasAsk
	case o.is("body"):
		e.body = o.text()
		e.has |= hasBody
	case o.is("raw"):
		e.raw = o.text()
		e.has |= hasRaw
	case o.is("reason"):
		e.reason = string(o.text())
		e.has |= hasReason
	case o.is("resend"):
		e.resend = o.boolean()
		e.has |= hasResend
	case o.is("again"):
		e.again = o.boolean()
		e.has |= hasAgain
	case o.is("moreRounds"):
		e.rounds = o.small()
		e.has |= hasMoreRounds
	case o.is("save"):
		e.save = o.boolean()
		e.has |= hasSave
	case o.is("watch"):
		e.watch = o.boolean()
		e.has |= hasWatch
	case o.is("fill"):
		e.fill = o.boolean()
		e.has |= hasFill
	case o.is("unsent"):
		e.unsent = o.boolean()
		e.has |= hasUnsent
	case o.is("request"):
		e.request = o.text()
		e.has |= hasRequest
	case o.is("params"):
		e.params = o.text()
		e.has |= hasParams
	case o.is("dialect"):
		e.words = string(o.text())
		e.has |= hasDialect
	case o.is("method"):
		e.words = string(o.text())
		e.has |= hasMethod
	case o.is("elicitationId"):
		e.words = string(o.text())
		e.has |= hasElicitationID
	case o.is("taskId"):
		e.words = string(o.text())
		e.has |= hasTaskID
	case o.is("call"):
		e.call = o.small()
		e.has |= hasCall
	case o.is("exchange"):
		e.exchange = o.small()
		e.has |= hasExchange
	case o.is("status"):
		e.status = o.small()
		e.has |= hasStatus
	case o.is("last"):
		e.last = o.boolean()
		e.has |= hasLast
	case o.is("sessionId"):
		e.sessionID = string(o.text())
		e.has |= hasSessionID
	case o.is("eventId"):
		e.eventID = string(o.text())
		e.has |= hasEventID
	case o.is("retry"):
		e.retry = o.small()
		e.has |= hasRetry
	default:
		o.unknown()
	}
}

// event makes an event of a flow of the members.
func (e *eventFields) event() (engine.Event, *engine.Error) {
	var ev engine.Event
	var want, may fieldSet
	switch {
	case rawjson.Is(e.kind, "response"):
		ev, want = engine.Response{Leg: e.leg, Body: e.body}, hasLeg|hasBody
	case rawjson.Is(e.kind, "answer"):
		ev, want, may = engine.Answer{Ask: e.ask, Raw: e.raw, Fill: e.fill}, hasAsk|hasRaw, hasFill
	case rawjson.Is(e.kind, "begin"):
		ev = engine.Begin{Resend: e.resend, Again: e.again, MoreRounds: e.rounds, Save: e.save, Watch: e.watch}
		may = hasResend | hasAgain | hasMoreRounds | hasSave | hasWatch
	case rawjson.Is(e.kind, "tick"):
		ev = engine.Tick{}
	case rawjson.Is(e.kind, "lost"):
		ev, want, may = engine.Lost{Leg: e.leg, Reason: e.reason, Unsent: e.unsent}, hasLeg, hasReason|hasUnsent
	case rawjson.Is(e.kind, "refuse"):
		ev, want, may = engine.Refuse{Ask: e.ask, Reason: e.reason}, hasAsk, hasReason
	case rawjson.Is(e.kind, "progress"):
		ev, want = engine.Progress{Leg: e.leg}, hasLeg
	case rawjson.Is(e.kind, "park"):
		ev, may = engine.Park{Ask: e.ask}, hasAsk
	case rawjson.Is(e.kind, "saved"):
		ev = engine.Saved{}
	case rawjson.Is(e.kind, "saveFailed"):
		ev, may = engine.SaveFailed{Reason: e.reason}, hasReason
	case rawjson.Is(e.kind, "cancel"):
		ev, may = engine.Cancel{Unsent: e.unsent}, hasUnsent
	case rawjson.Is(e.kind, "speak"):
		ev, want = engine.Relay{Message: relay.Speak{Dialect: e.words}}, hasDialect
	case rawjson.Is(e.kind, "serverAsk"):
		ev, want, may = engine.Relay{Message: relay.ServerAsk{Leg: e.leg, Request: e.request, Method: e.words, Params: e.params}}, hasLeg|hasRequest|hasMethod, hasParams
	case rawjson.Is(e.kind, "serverCancel"):
		ev, want = engine.Relay{Message: relay.ServerCancel{Request: e.request}}, hasRequest
	case rawjson.Is(e.kind, "completed"):
		ev, want = engine.Relay{Message: relay.Completed{ElicitationID: e.words}}, hasElicitationID
	case rawjson.Is(e.kind, "taskChanged"):
		ev, want = engine.Relay{Message: relay.TaskChanged{TaskID: e.words}}, hasTaskID
	default:
		return nil, &engine.Error{Code: fault.Order, Detail: "event: the type is not known"}
	}
	return ev, e.check(want, may)
}

// check refuses an event that lacks a member or has one of another type's.
func (e *eventFields) check(want, may fieldSet) *engine.Error {
	if e.has&^may == want {
		return nil
	}
	return &engine.Error{Code: fault.Order, Detail: "event: other members than its type has"}
}
