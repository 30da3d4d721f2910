package enginewire

import "github.com/parley-mcp/parley/engine"

// AppendHandle appends {"flow":…}, the answer to new.
func AppendHandle(dst []byte, handle uint32) []byte {
	w := writer{append(dst, '{')}
	w.integer("flow", int64(handle))
	w.close()
	return w.dst
}

// DecodeHandle reads what [AppendHandle] or [AppendError] wrote.
func DecodeHandle(data []byte) (handle uint32, err error) {
	var o object
	o.start("answer of the engine", data)
	for o.next() {
		switch {
		case o.is("error"):
			return 0, decodeError(o.m.Value)
		case o.is("flow"):
			handle = uint32(o.integer())
		default:
			o.unknown()
		}
	}
	if o.err != nil {
		return 0, o.err
	}
	return handle, nil
}

// AppendSnapshot appends {"snapshot":"…"}.
func AppendSnapshot(dst, snapshot []byte) []byte {
	w := writer{append(dst, '{')}
	w.raw("snapshot", snapshot)
	w.close()
	return w.dst
}

// DecodeSnapshot reads what [AppendSnapshot] or [AppendError] wrote. The
// snapshot points into data.
func DecodeSnapshot(data []byte) (snapshot []byte, err error) {
	var o object
	o.start("answer of the engine", data)
	for o.next() {
		switch {
		case o.is("error"):
			return nil, decodeError(o.m.Value)
		case o.is("snapshot"):
			snapshot = o.text()
		default:
			o.unknown()
		}
	}
	if o.err != nil {
		return nil, o.err
	}
	return snapshot, nil
}

// AppendRestore appends what [DecodeRestore] reads:
// {"snapshot":"…","peer":"…","principal":"…",…}.
func AppendRestore(dst, snapshot []byte, expect engine.Expect) []byte {
	w := writer{append(dst, '{')}
	w.raw("snapshot", notNil(snapshot))
	w.words("peer", expect.Peer)
	w.words("principal", expect.Principal)
	w.can(expect.Can)
	w.nonZero("deadline", expect.Deadline)
	w.nonZero("budget", millis(expect.Budget))
	w.nonZero("maxRounds", int64(expect.MaxRounds))
	w.nonZero("maxWaits", int64(expect.MaxWaits))
	w.nonZero("size", int64(expect.Size))
	w.close()
	return w.dst
}

// DecodeRestore reads the arguments of [engine.Restore]. data is used as
// memory: see the package comment.
func DecodeRestore(data []byte) (snapshot []byte, expect engine.Expect, err *engine.Error) {
	var o object
	o.start("restore", data)
	snapshot, expect = o.restore(nil)
	return snapshot, expect, o.err
}

// restore reads the arguments of [engine.Restore]; see flow.
func (o *object) restore(beside func() bool) (snapshot []byte, expect engine.Expect) {
	for o.next() {
		switch {
		case o.is("snapshot"):
			snapshot = o.text()
		case o.is("peer"):
			expect.Peer = string(o.text())
		case o.is("principal"):
			expect.Principal = string(o.text())
		case o.is("can"):
			expect.Can, o.err = decodeCan(o.m.Value)
		case o.is("deadline"):
			expect.Deadline = o.integer()
		case o.is("budget"):
			expect.Budget = o.duration()
		case o.is("maxRounds"):
			expect.MaxRounds = o.small()
		case o.is("maxWaits"):
			expect.MaxWaits = o.small()
		case o.is("size"):
			expect.Size = o.small()
		case beside == nil || !beside():
			o.unknown()
		}
	}
	return snapshot, expect
}

// AppendInfo appends an [engine.Info].
func AppendInfo(dst []byte, info *engine.Info) []byte {
	w := writer{append(dst, '{')}
	w.string("method", info.Method)
	w.raw("params", info.Params)
	w.raw("capabilities", info.Capabilities)
	w.words("id", info.ID)
	w.words("peer", info.Peer)
	w.words("principal", info.Principal)
	w.flag("form", info.Form)
	w.flag("url", info.URL)
	w.flag("sampling", info.Sampling)
	w.flag("samplingTools", info.SamplingTools)
	w.flag("roots", info.Roots)
	w.integer("round", int64(info.Round))
	w.integer("leg", int64(info.Leg))
	w.integer("questions", int64(info.Questions))
	w.flag("inDoubt", info.InDoubt)
	w.flag("over", info.Over)
	w.words("task", info.Task)
	w.close()
	return w.dst
}

// DecodeInfo reads what [AppendInfo] or [AppendError] wrote. The texts point
// into data.
func DecodeInfo(data []byte) (info engine.Info, err error) {
	var o object
	o.start("answer of the engine", data)
	for o.next() {
		switch {
		case o.is("error"):
			return info, decodeError(o.m.Value)
		case o.is("method"):
			info.Method = string(o.text())
		case o.is("params"):
			info.Params = o.text()
		case o.is("capabilities"):
			info.Capabilities = o.text()
		case o.is("id"):
			info.ID = string(o.text())
		case o.is("peer"):
			info.Peer = string(o.text())
		case o.is("principal"):
			info.Principal = string(o.text())
		case o.is("form"):
			info.Form = o.boolean()
		case o.is("url"):
			info.URL = o.boolean()
		case o.is("sampling"):
			info.Sampling = o.boolean()
		case o.is("samplingTools"):
			info.SamplingTools = o.boolean()
		case o.is("roots"):
			info.Roots = o.boolean()
		case o.is("round"):
			info.Round = o.small()
		case o.is("leg"):
			info.Leg = o.small()
		case o.is("questions"):
			info.Questions = o.small()
		case o.is("inDoubt"):
			info.InDoubt = o.boolean()
		case o.is("over"):
			info.Over = o.boolean()
		case o.is("task"):
			info.Task = string(o.text())
		default:
			o.unknown()
		}
	}
	if o.err != nil {
		return info, o.err
	}
	return info, nil
}
