package enginewire

import (
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
)

// AppendNew appends what [DecodeNew] reads:
// {"method":"tools/call","params":"{…}","options":{…}}. Options with their
// zero value are left out; durations are milliseconds, rounded up.
func AppendNew(dst []byte, method string, params []byte, opts engine.Options) []byte {
	w := writer{append(dst, '{')}
	w.string("method", method)
	w.raw("params", params)
	w.name("options")
	w.dst = append(w.dst, '{')
	w.can(opts.Can)
	w.raw("capabilities", opts.Capabilities)
	w.nonZero("askConcurrency", int64(opts.AskConcurrency))
	w.nonZero("legTimeout", millis(opts.LegTimeout))
	w.nonZero("legMax", millis(opts.LegMax))
	w.nonZero("askTimeout", millis(opts.AskTimeout))
	w.nonZero("budget", millis(opts.Budget))
	w.nonZero("deadline", opts.Deadline)
	w.flag("resendTools", opts.ResendTools)
	w.nonZero("maxRounds", int64(opts.MaxRounds))
	w.nonZero("maxWaits", int64(opts.MaxWaits))
	w.nonZero("maxTries", int64(opts.MaxTries))
	if opts.Limits != (engine.Limits{}) {
		w.name("limits")
		w.dst = append(w.dst, '{')
		w.nonZero("response", int64(opts.Limits.Response))
		w.nonZero("result", int64(opts.Limits.Result))
		w.nonZero("state", int64(opts.Limits.State))
		w.nonZero("asks", int64(opts.Limits.Asks))
		w.nonZero("key", int64(opts.Limits.Key))
		w.nonZero("snapshot", int64(opts.Limits.Snapshot))
		w.close()
	}
	w.flag("audit", opts.Audit)
	w.words("id", opts.ID)
	w.words("peer", opts.Peer)
	w.words("principal", opts.Principal)
	w.close()
	w.close()
	return w.dst
}

func (w *writer) nonZero(name string, n int64) {
	if n != 0 {
		w.integer(name, n)
	}
}

func millis(d time.Duration) int64 {
	if d < 0 {
		return -1
	}
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}

// DecodeNew reads the arguments of [engine.New]. data is used as memory: see
// the package comment. It fails with [fault.Options].
func DecodeNew(data []byte) (method string, params []byte, opts engine.Options, err *engine.Error) {
	var o object
	o.start("new", data)
	method, params, opts = o.flow(nil)
	if o.err != nil {
		o.err.Code = fault.Options
	}
	return method, params, opts, o.err
}

// flow reads the arguments of [engine.New]. beside reads a member that is none
// of them, and reports whether it did.
func (o *object) flow(beside func() bool) (method string, params []byte, opts engine.Options) {
	for o.next() {
		switch {
		case o.is("method"):
			method = string(o.text())
		case o.is("params"):
			params = o.text()
		case o.is("options"):
			opts, o.err = decodeOptions(o.m.Value)
		case beside == nil || !beside():
			o.unknown()
		}
	}
	return method, params, opts
}

func decodeOptions(data []byte) (opts engine.Options, err *engine.Error) {
	var o object
	o.start("options", data)
	for o.next() {
		switch {
		case o.is("can"):
			opts.Can, o.err = decodeCan(o.m.Value)
		case o.is("capabilities"):
			opts.Capabilities = o.text()
		case o.is("askConcurrency"):
			opts.AskConcurrency = o.small()
		case o.is("legTimeout"):
			opts.LegTimeout = o.duration()
		case o.is("maxRounds"):
			opts.MaxRounds = o.small()
		case o.is("maxWaits"):
			opts.MaxWaits = o.small()
		case o.is("maxTries"):
			opts.MaxTries = o.small()
		case o.is("limits"):
			opts.Limits, o.err = decodeLimits(o.m.Value)
		case o.is("legMax"):
			opts.LegMax = o.duration()
		case o.is("askTimeout"):
			opts.AskTimeout = o.duration()
		case o.is("budget"):
			opts.Budget = o.duration()
		case o.is("deadline"):
			opts.Deadline = o.integer()
		case o.is("resendTools"):
			opts.ResendTools = o.boolean()
		case o.is("audit"):
			opts.Audit = o.boolean()
		case o.is("id"):
			opts.ID = string(o.text())
		case o.is("peer"):
			opts.Peer = string(o.text())
		case o.is("principal"):
			opts.Principal = string(o.text())
		default:
			o.unknown()
		}
	}
	return opts, o.err
}

func decodeLimits(data []byte) (limits engine.Limits, err *engine.Error) {
	var o object
	o.start("limits", data)
	for o.next() {
		switch {
		case o.is("response"):
			limits.Response = o.small()
		case o.is("result"):
			limits.Result = o.small()
		case o.is("state"):
			limits.State = o.small()
		case o.is("asks"):
			limits.Asks = o.small()
		case o.is("key"):
			limits.Key = o.small()
		case o.is("snapshot"):
			limits.Snapshot = o.small()
		default:
			o.unknown()
		}
	}
	return limits, o.err
}

// can writes what the host can answer: {"form":true,…}, or nothing if that is
// left to the capabilities.
func (w *writer) can(can *engine.Can) {
	if can == nil {
		return
	}
	w.name("can")
	w.dst = append(w.dst, '{')
	w.flag("form", can.Form)
	w.flag("url", can.URL)
	w.flag("sampling", can.Sampling)
	w.flag("samplingTools", can.SamplingTools)
	w.flag("roots", can.Roots)
	w.flag("tasks", can.Tasks)
	w.close()
}

func decodeCan(data []byte) (*engine.Can, *engine.Error) {
	can := &engine.Can{}
	var o object
	o.start("can", data)
	for o.next() {
		switch {
		case o.is("form"):
			can.Form = o.boolean()
		case o.is("url"):
			can.URL = o.boolean()
		case o.is("sampling"):
			can.Sampling = o.boolean()
		case o.is("samplingTools"):
			can.SamplingTools = o.boolean()
		case o.is("roots"):
			can.Roots = o.boolean()
		case o.is("tasks"):
			can.Tasks = o.boolean()
		default:
			o.unknown()
		}
	}
	return can, o.err
}
