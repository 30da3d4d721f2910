package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/internal/rawjson"
)

// AppendEvent appends an event as JSON, such as
// {"type":"answer","ask":1,"raw":"{…}"}.
func AppendEvent(dst []byte, ev engine.Event) []byte {
	w := writer{dst}
	switch ev := ev.(type) {
	case engine.Begin:
		w.open("begin")
		w.flag("resend", ev.Resend)
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
	case engine.Park:
		w.open("park")
	case engine.Cancel:
		w.open("cancel")
	case engine.Tick:
		w.open("tick")
	default:
		w.open("")
	}
	w.close()
	return w.dst
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
	reason    string
	resend    bool
	fill      bool
	unsent    bool
	has       fieldSet
}

type fieldSet uint8

const (
	hasLeg fieldSet = 1 << iota
	hasAsk
	hasBody
	hasRaw
	hasReason
	hasResend
	hasFill
	hasUnsent
)

// DecodeEvent reads an event. data is used as memory: see the package comment.
// It fails with [engine.ErrOrder].
func DecodeEvent(data []byte) (engine.Event, *engine.Error) {
	var e eventFields
	var o object
	o.start("event", data)
	for o.next() {
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
		case o.is("fill"):
			e.fill = o.boolean()
			e.has |= hasFill
		case o.is("unsent"):
			e.unsent = o.boolean()
			e.has |= hasUnsent
		default:
			o.unknown()
		}
	}
	if o.err != nil {
		return nil, o.err
	}
	var ev engine.Event
	var want, may fieldSet
	switch {
	case rawjson.Is(e.kind, "response"):
		ev, want = engine.Response{Leg: e.leg, Body: e.body}, hasLeg|hasBody
	case rawjson.Is(e.kind, "answer"):
		ev, want, may = engine.Answer{Ask: e.ask, Raw: e.raw, Fill: e.fill}, hasAsk|hasRaw, hasFill
	case rawjson.Is(e.kind, "begin"):
		ev, may = engine.Begin{Resend: e.resend}, hasResend
	case rawjson.Is(e.kind, "tick"):
		ev = engine.Tick{}
	case rawjson.Is(e.kind, "lost"):
		ev, want, may = engine.Lost{Leg: e.leg, Reason: e.reason, Unsent: e.unsent}, hasLeg, hasReason|hasUnsent
	case rawjson.Is(e.kind, "refuse"):
		ev, want, may = engine.Refuse{Ask: e.ask, Reason: e.reason}, hasAsk, hasReason
	case rawjson.Is(e.kind, "progress"):
		ev, want = engine.Progress{Leg: e.leg}, hasLeg
	case rawjson.Is(e.kind, "park"):
		ev = engine.Park{}
	case rawjson.Is(e.kind, "cancel"):
		ev = engine.Cancel{}
	default:
		o.fail("the type is none of begin, response, lost, progress, answer, refuse, park, cancel and tick")
		return nil, o.err
	}
	if e.has&^may != want {
		o.fail("other members than its type has")
		return nil, o.err
	}
	return ev, nil
}
