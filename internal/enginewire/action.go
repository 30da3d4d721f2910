package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/envelope"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// AppendActions appends {"actions":[…]} with every action in order.
func AppendActions(dst []byte, actions []engine.Action) []byte {
	w := writer{dst}
	w.put(`{"actions":[`)
	for i, a := range actions {
		if i > 0 {
			w.put(",")
		}
		w.action(a)
	}
	w.put("]}")
	return w.dst
}

func (w *writer) action(a engine.Action) {
	switch a := a.(type) {
	case engine.Send:
		w.open("send")
		w.integer("leg", int64(a.Leg))
		w.string("method", a.Method)
		w.raw("params", a.Params)
	case engine.Abandon:
		w.open("abandon")
		w.integer("leg", int64(a.Leg))
		w.flag("unsent", a.Unsent)
	case engine.Save:
		w.open("save")
	case engine.Leg:
		w.open("leg")
		w.integer("leg", int64(a.Leg))
		w.words("method", a.Method)
		w.integer("size", int64(a.Size))
		w.words("answer", a.Answer)
		w.nonZero("state", int64(a.State))
		w.nonZero("asks", int64(a.Asks))
	case engine.Pause:
		w.open("pause")
		w.integer("until", a.Until)
		w.nonZero("waits", int64(a.Waits))
	case engine.Ask:
		w.open("ask")
		w.integer("ask", int64(a.ID))
		w.string("key", a.Key)
		w.string("kind", string(a.Kind))
		w.words("mode", string(a.Mode))
		w.raw("params", a.Params)
		w.integer("round", int64(a.Round))
		w.words("host", a.Host)
		w.flag("loopback", a.Loopback)
		w.flag("punycode", a.Punycode)
		w.flag("repeat", a.Repeat)
		w.words("problem", a.Problem)
		w.raw("earlier", a.Earlier)
	case engine.Withdraw:
		w.open("withdraw")
		w.integer("ask", int64(a.Ask))
	case engine.Relay:
		reply, _ := a.Message.(relay.Reply) // a flow says nothing else
		w.open("reply")
		w.raw("request", reply.Request)
		w.raw("result", reply.Result)
		w.nonZero("code", int64(reply.Code))
		w.words("message", reply.Message)
	case engine.Task:
		w.open("task")
		w.string("status", a.Status)
		w.words("message", a.Message)
	case engine.Tell:
		w.open("tell")
		w.string("method", a.Method)
		w.raw("params", a.Params)
	case engine.Wait:
		w.open("wait")
		w.integer("until", a.Until)
	case engine.Note:
		w.open("note")
		w.string("kind", string(a.Kind))
		w.words("flow", a.Flow)
		w.integer("leg", int64(a.Leg))
		w.integer("round", int64(a.Round))
		w.integer("time", a.Time)
		w.nonZero("ask", int64(a.Ask))
		w.words("action", a.Action)
		w.words("fingerprint", a.Fingerprint)
		w.nonZero("code", int64(a.Code))
	case engine.Done:
		w.open("done")
		w.raw("result", a.Result)
		w.flag("noStore", a.NoStore)
	case engine.Parked:
		w.open("parked")
	case engine.Failed:
		w.open("failed")
		w.integer("code", int64(a.Code))
		w.string("detail", a.Detail)
		w.boolean("resumable", a.Resumable)
		w.raw("error", a.Error)
	}
	w.close()
}

// AppendError appends {"error":{"code":…,"detail":"…"}}.
func AppendError(dst []byte, err *engine.Error) []byte {
	w := writer{dst}
	w.put(`{"error":{`)
	w.integer("code", int64(err.Code))
	w.string("detail", err.Detail)
	w.put("}}")
	return w.dst
}

// DecodeActions reads what [AppendActions] or [AppendError] wrote: the
// actions, or the usage error. data is used as memory: see the package
// comment.
func DecodeActions(data []byte) ([]engine.Action, error) {
	var actions []engine.Action
	err := decodeActions(data, func(a *actionFields) error {
		action, err := a.action()
		actions = append(actions, action)
		return err
	})
	if err != nil {
		return nil, err
	}
	return actions, nil
}

// decodeActions reads the members of every action.
func decodeActions(data []byte, each func(*actionFields) error) error {
	var o object
	o.start("answer of the engine", data)
	for o.next() {
		switch {
		case o.is("error"):
			return decodeError(o.m.Value)
		case o.is("actions"):
			var e rawjson.Elements
			for e.Start(o.m.Value); e.Next(); {
				a, err := readAction(e.Value)
				if err == nil {
					err = each(a)
				}
				if err != nil {
					return err
				}
			}
			if e.Err != nil {
				o.fail(e.Err.Reason)
			}
		default:
			o.unknown()
		}
	}
	if o.err != nil {
		return o.err
	}
	return nil
}

func decodeError(data []byte) error {
	var e engine.Error
	var o object
	o.start("error", data)
	for o.next() {
		switch {
		case o.is("code"):
			e.Code = fault.Code(o.small())
		case o.is("detail"):
			e.Detail = string(o.text())
		default:
			o.unknown()
		}
	}
	if o.err != nil {
		return o.err
	}
	return &e
}

// actionFields are the members of all actions.
type actionFields struct {
	kind                    string
	leg, ask, round         int
	method, key, askKind    string
	mode, detail            string
	params, result, rpcBody []byte
	request                 []byte
	message, status         string
	until, time             int64
	code                    fault.Code
	resumable, noStore      bool
	host, flow, did         string
	fingerprint             string
	loopback, punycode      bool
	repeat, unsent          bool
	problem, answer         string
	earlier                 []byte
	size, state, asks       int
	waits                   int

	// Of sessions.
	call, exchange           int
	at                       int64
	headers                  []envelope.Header
	body                     []byte
	version, warning         string
	serverInfo, capabilities []byte
	instructions             string
}

func readAction(data []byte) (*actionFields, error) {
	a := &actionFields{}
	var o object
	o.start("action", data)
	for o.next() {
		switch {
		case o.is("type"):
			a.kind = string(o.text())
		case o.is("leg"):
			a.leg = o.small()
		case o.is("ask"):
			a.ask = o.small()
		case o.is("round"):
			a.round = o.small()
		case o.is("method"):
			a.method = string(o.text())
		case o.is("key"):
			a.key = string(o.text())
		case o.is("kind"):
			a.askKind = string(o.text())
		case o.is("mode"):
			a.mode = string(o.text())
		case o.is("detail"):
			a.detail = string(o.text())
		case o.is("params"):
			a.params = o.text()
		case o.is("result"):
			a.result = o.text()
		case o.is("error"):
			a.rpcBody = o.text()
		case o.is("until"):
			a.until = o.integer()
		case o.is("time"):
			a.time = o.integer()
		case o.is("code"):
			a.code = fault.Code(o.small())
		case o.is("resumable"):
			a.resumable = o.boolean()
		case o.is("noStore"):
			a.noStore = o.boolean()
		case o.is("host"):
			a.host = string(o.text())
		case o.is("loopback"):
			a.loopback = o.boolean()
		case o.is("punycode"):
			a.punycode = o.boolean()
		case o.is("repeat"):
			a.repeat = o.boolean()
		case o.is("unsent"):
			a.unsent = o.boolean()
		case o.is("problem"):
			a.problem = string(o.text())
		case o.is("earlier"):
			a.earlier = o.text()
		case o.is("answer"):
			a.answer = string(o.text())
		case o.is("size"):
			a.size = o.small()
		case o.is("state"):
			a.state = o.small()
		case o.is("asks"):
			a.asks = o.small()
		case o.is("waits"):
			a.waits = o.small()
		case o.is("flow"):
			a.flow = string(o.text())
		case o.is("action"):
			a.did = string(o.text())
		case o.is("request"):
			a.request = o.text()
		case o.is("message"):
			a.message = string(o.text())
		case o.is("status"):
			a.status = string(o.text())
		case o.is("fingerprint"):
			a.fingerprint = string(o.text())
		case o.is("call"):
			a.call = o.small()
		case o.is("exchange"):
			a.exchange = o.small()
		case o.is("at"):
			a.at = o.integer()
		case o.is("headers"):
			a.headers = o.headers()
		case o.is("body"):
			a.body = o.text()
		case o.is("version"):
			a.version = string(o.text())
		case o.is("text"):
			a.warning = string(o.text())
		case o.is("serverInfo"):
			a.serverInfo = o.text()
		case o.is("capabilities"):
			a.capabilities = o.text()
		case o.is("instructions"):
			a.instructions = string(o.text())
		default:
			o.unknown()
		}
	}
	if o.err != nil {
		return nil, o.err
	}
	return a, nil
}

// action makes an action of a flow of the members.
func (a *actionFields) action() (engine.Action, error) {
	switch a.kind {
	case "send":
		return engine.Send{Leg: a.leg, Method: a.method, Params: a.params}, nil
	case "abandon":
		return engine.Abandon{Leg: a.leg, Unsent: a.unsent}, nil
	case "save":
		return engine.Save{}, nil
	case "leg":
		return engine.Leg{Leg: a.leg, Method: a.method, Size: a.size, Answer: a.answer, State: a.state, Asks: a.asks}, nil
	case "pause":
		return engine.Pause{Until: a.until, Waits: a.waits}, nil
	case "ask":
		return engine.Ask{
			ID: a.ask, Key: a.key, Kind: engine.Kind(a.askKind), Mode: engine.Mode(a.mode), Params: a.params, Round: a.round,
			Host: a.host, Loopback: a.loopback, Punycode: a.punycode, Repeat: a.repeat,
			Problem: a.problem, Earlier: a.earlier,
		}, nil
	case "withdraw":
		return engine.Withdraw{Ask: a.ask}, nil
	case "reply":
		return engine.Relay{Message: relay.Reply{Request: a.request, Result: a.result, Code: int(a.code), Message: a.message}}, nil
	case "task":
		return engine.Task{Status: a.status, Message: a.message}, nil
	case "tell":
		return engine.Tell{Method: a.method, Params: a.params}, nil
	case "wait":
		return engine.Wait{Until: a.until}, nil
	case "note":
		return engine.Note{
			Kind: audit.Kind(a.askKind), Flow: a.flow, Leg: a.leg, Round: a.round, Time: a.time,
			Ask: a.ask, Action: a.did, Fingerprint: a.fingerprint, Code: a.code,
		}, nil
	case "parked":
		return engine.Parked{}, nil
	case "done":
		return engine.Done{Result: a.result, NoStore: a.noStore}, nil
	case "failed":
		return engine.Failed{Code: a.code, Detail: a.detail, Resumable: a.resumable, Error: a.rpcBody}, nil
	}
	return nil, &engine.Error{Code: fault.Order, Detail: "action: the type is not known"}
}
