package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/rawjson"
)

// AppendSessionNew appends what [DecodeSessionNew] reads:
// {"transport":"stdio","clientInfo":"{…}",…}. Options with their zero value are
// left out; durations are milliseconds, rounded up.
func AppendSessionNew(dst []byte, opts *session.Options) []byte {
	w := writer{append(dst, '{')}
	w.words("transport", string(opts.Transport))
	w.raw("clientInfo", opts.ClientInfo)
	w.can(opts.Can)
	w.raw("capabilities", opts.Capabilities)
	if len(opts.Versions) > 0 {
		w.name("versions")
		for i, version := range opts.Versions {
			w.dst = append(w.dst, "[,"[min(i, 1)])
			w.dst = rawjson.AppendQuoted(w.dst, version)
		}
		w.put("]")
	}
	w.words("known", opts.Known)
	w.flag("discover", opts.Discover)
	w.nonZero("probeTimeout", millis(opts.ProbeTimeout))
	w.nonZero("firstId", opts.FirstID)
	w.flag("stringIds", opts.StringIDs)
	w.words("dialect", string(opts.Dialect))
	w.words("logLevel", opts.LogLevel)
	w.close()
	return w.dst
}

// DecodeSessionNew reads the arguments of [session.New]. data is used as
// memory: see the package comment. It fails with [fault.Options].
func DecodeSessionNew(data []byte) (opts session.Options, err *engine.Error) {
	var o object
	o.start("session", data)
	for o.next() {
		switch {
		case o.is("transport"):
			opts.Transport = session.Transport(o.text())
		case o.is("clientInfo"):
			opts.ClientInfo = o.text()
		case o.is("can"):
			opts.Can, o.err = decodeCan(o.m.Value)
		case o.is("capabilities"):
			opts.Capabilities = o.text()
		case o.is("versions"):
			opts.Versions = o.texts()
		case o.is("known"):
			opts.Known = string(o.text())
		case o.is("discover"):
			opts.Discover = o.boolean()
		case o.is("probeTimeout"):
			opts.ProbeTimeout = o.duration()
		case o.is("firstId"):
			opts.FirstID = o.integer()
		case o.is("stringIds"):
			opts.StringIDs = o.boolean()
		case o.is("dialect"):
			opts.Dialect = engine.Dialect(o.text())
		case o.is("logLevel"):
			opts.LogLevel = string(o.text())
		default:
			o.unknown()
		}
	}
	if o.err != nil {
		o.err.Code = fault.Options
	}
	return opts, o.err
}

// AppendSessionEvent appends an event of a session as JSON, such as
// {"type":"message","exchange":1,"body":"{…}"}. An event for a call is that of
// its flow with "call" beside it.
func AppendSessionEvent(dst []byte, ev session.Event) []byte {
	w := writer{dst}
	switch ev := ev.(type) {
	case session.To:
		w.dst = AppendEvent(w.dst, ev.Event)
		w.dst = w.dst[:len(w.dst)-1]
		w.integer("call", int64(ev.Call))
	case session.Message:
		w.open("message")
		w.nonZero("exchange", int64(ev.Exchange))
		w.raw("body", notNil(ev.Body))
		w.nonZero("status", int64(ev.Status))
		w.words("sessionId", ev.SessionID)
		w.words("eventId", ev.EventID)
		w.nonZero("retry", int64(ev.Retry))
		w.flag("last", ev.Last)
	case session.Ended:
		w.open("ended")
		w.integer("exchange", int64(ev.Exchange))
		w.nonZero("status", int64(ev.Status))
		w.words("sessionId", ev.SessionID)
		w.words("eventId", ev.EventID)
		w.nonZero("retry", int64(ev.Retry))
		w.words("reason", ev.Reason)
		w.flag("unsent", ev.Unsent)
	case session.Down:
		w.open("down")
		w.words("reason", ev.Reason)
	case session.Close:
		w.open("close")
	case session.Tick:
		w.open("tick")
	default:
		w.open("")
	}
	w.close()
	return w.dst
}

// DecodeSessionEvent reads an event of a session. data is used as memory: see
// the package comment. It fails with [fault.Order].
func DecodeSessionEvent(data []byte) (session.Event, *engine.Error) {
	e, err := readEvent(data)
	if err != nil {
		return nil, err
	}
	if e.has&hasCall != 0 {
		e.has &^= hasCall
		ev, err := e.event()
		return session.To{Call: e.call, Event: ev}, err
	}
	const response = hasStatus | hasSessionID | hasEventID | hasRetry
	var ev session.Event
	var want, may fieldSet
	switch {
	case rawjson.Is(e.kind, "message"):
		ev = session.Message{
			Exchange: e.exchange, Body: e.body, Status: e.status, SessionID: e.sessionID,
			EventID: e.eventID, Retry: e.retry, Last: e.last,
		}
		want, may = hasBody, response|hasExchange|hasLast
	case rawjson.Is(e.kind, "ended"):
		ev = session.Ended{
			Exchange: e.exchange, Status: e.status, SessionID: e.sessionID,
			EventID: e.eventID, Retry: e.retry, Reason: e.reason, Unsent: e.unsent,
		}
		want, may = hasExchange, response|hasReason|hasUnsent
	case rawjson.Is(e.kind, "down"):
		ev, may = session.Down{Reason: e.reason}, hasReason
	case rawjson.Is(e.kind, "close"):
		ev = session.Close{}
	case rawjson.Is(e.kind, "tick"):
		ev = session.Tick{}
	default:
		return nil, &engine.Error{Code: fault.Order, Detail: "event: the type is not known"}
	}
	return ev, e.check(want, may)
}

// AppendSessionActions appends {"actions":[…]} with every action in order.
func AppendSessionActions(dst []byte, actions []session.Action) []byte {
	w := writer{dst}
	w.put(`{"actions":[`)
	for i, a := range actions {
		if i > 0 {
			w.put(",")
		}
		w.sessionAction(a)
	}
	w.put("]}")
	return w.dst
}

func (w *writer) sessionAction(a session.Action) {
	switch a := a.(type) {
	case session.From:
		w.action(a.Action)
		w.dst = w.dst[:len(w.dst)-1]
		w.integer("call", int64(a.Call))
	case session.Post:
		w.open("post")
		w.integer("exchange", int64(a.Exchange))
		w.nonZero("call", int64(a.Call))
		w.nonZero("leg", int64(a.Leg))
		w.headers(a.Headers)
		w.raw("body", a.Body)
	case session.Request:
		w.open("request")
		w.integer("exchange", int64(a.Exchange))
		w.nonZero("call", int64(a.Call))
		w.nonZero("leg", int64(a.Leg))
		w.string("method", a.Method)
		w.raw("params", a.Params)
		w.raw("capabilities", a.Capabilities)
	case session.Listen:
		w.open("listen")
		w.integer("exchange", int64(a.Exchange))
		w.headers(a.Headers)
		w.nonZero("at", a.At)
	case session.Delete:
		w.open("delete")
		w.integer("exchange", int64(a.Exchange))
		w.headers(a.Headers)
	case session.Abort:
		w.open("abort")
		w.integer("exchange", int64(a.Exchange))
	case session.Progress:
		w.open("progress")
		w.integer("call", int64(a.Call))
		w.integer("leg", int64(a.Leg))
		w.raw("params", a.Params)
	case session.Notification:
		w.open("notification")
		w.nonZero("call", int64(a.Call))
		w.string("method", a.Method)
		w.raw("params", a.Params)
	case session.Ready:
		w.open("ready")
		w.string("version", a.Version)
		w.raw("serverInfo", a.ServerInfo)
		w.raw("capabilities", a.Capabilities)
		w.words("instructions", a.Instructions)
	case session.Warning:
		w.open("warning")
		w.string("text", a.Text)
	case session.Wait:
		w.open("wait")
		w.integer("until", a.Until)
	}
	w.close()
}

// DecodeSessionActions reads what [AppendSessionActions] or [AppendError]
// wrote: the actions, or the usage error. data is used as memory: see the
// package comment.
func DecodeSessionActions(data []byte) ([]session.Action, error) {
	var actions []session.Action
	err := decodeActions(data, func(a *actionFields) error {
		action, err := a.sessionAction()
		actions = append(actions, action)
		return err
	})
	if err != nil {
		return nil, err
	}
	return actions, nil
}

func (a *actionFields) sessionAction() (session.Action, error) {
	switch a.kind {
	case "post":
		return session.Post{Exchange: a.exchange, Call: a.call, Leg: a.leg, Headers: a.headers, Body: a.body}, nil
	case "request":
		return session.Request{Exchange: a.exchange, Call: a.call, Leg: a.leg, Method: a.method, Params: a.params, Capabilities: a.capabilities}, nil
	case "listen":
		return session.Listen{Exchange: a.exchange, Headers: a.headers, At: a.at}, nil
	case "delete":
		return session.Delete{Exchange: a.exchange, Headers: a.headers}, nil
	case "abort":
		return session.Abort{Exchange: a.exchange}, nil
	case "progress":
		return session.Progress{Call: a.call, Leg: a.leg, Params: a.params}, nil
	case "notification":
		return session.Notification{Call: a.call, Method: a.method, Params: a.params}, nil
	case "ready":
		return session.Ready{Version: a.version, ServerInfo: a.serverInfo, Capabilities: a.capabilities, Instructions: a.instructions}, nil
	case "warning":
		return session.Warning{Text: a.warning}, nil
	case "wait":
		if a.call == 0 {
			return session.Wait{Until: a.until}, nil
		}
	}
	action, err := a.action()
	return session.From{Call: a.call, Action: action}, err
}

// AppendSession appends {"session":…}, the answer to a new session.
func AppendSession(dst []byte, handle uint32) []byte {
	return appendNumber(dst, "session", int64(handle))
}

// AppendCall appends {"call":…}, the answer to a new call.
func AppendCall(dst []byte, call int) []byte { return appendNumber(dst, "call", int64(call)) }

func appendNumber(dst []byte, name string, n int64) []byte {
	w := writer{append(dst, '{')}
	w.integer(name, n)
	w.close()
	return w.dst
}

// DecodeSession reads what [AppendSession] or [AppendError] wrote.
func DecodeSession(data []byte) (handle uint32, err error) {
	n, err := decodeNumber(data, "session")
	return uint32(n), err
}

// DecodeCall reads what [AppendCall] or [AppendError] wrote.
func DecodeCall(data []byte) (call int, err error) {
	n, err := decodeNumber(data, "call")
	return int(n), err
}

func decodeNumber(data []byte, name string) (n int64, err error) {
	var o object
	o.start("answer of the engine", data)
	for o.next() {
		switch {
		case o.is("error"):
			return 0, decodeError(o.m.Value)
		case o.is(name):
			n = o.integer()
		default:
			o.unknown()
		}
	}
	if o.err != nil {
		return 0, o.err
	}
	return n, nil
}
