package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
)

// AppendSessionNew appends what [Notation.DecodeSessionNew] reads:
// {"transport":"stdio","clientInfo":"{…}",…}. Options with their zero value are
// left out; durations are milliseconds, rounded up.
func (n Notation) AppendSessionNew(dst []byte, opts *session.Options) []byte {
	var w walk
	w.write(n, dst)
	w.Put("{")
	w.sessionOptions(opts)
	w.Close()
	return w.End()
}

func (w *walk) sessionOptions(opts *session.Options) {
	w.Text("transport", may, (*string)(&opts.Transport))
	w.Raw("clientInfo", may, &opts.ClientInfo)
	w.can(&opts.Can)
	w.Raw("capabilities", may, &opts.Capabilities)
	w.Texts("versions", &opts.Versions)
	w.Text("known", may, &opts.Known)
	w.Bool("discover", may, &opts.Discover)
	w.Millis("probeTimeout", may, &opts.ProbeTimeout)
	w.Int64("firstId", may, &opts.FirstID)
	w.Bool("stringIds", may, &opts.StringIDs)
	w.Text("dialect", may, (*string)(&opts.Dialect))
	w.Text("logLevel", may, &opts.LogLevel)
	w.Bool("cache", may, &opts.Cache)
	w.Text("cachedAs", may, &opts.CachedAs)
}

// DecodeSessionNew reads the arguments of [session.New]. data is used as
// memory: see the package comment. It fails with [fault.Options].
func (n Notation) DecodeSessionNew(data []byte) (opts session.Options, err *engine.Error) {
	var w walk
	w.read(n, "session", data)
	for w.Next() {
		w.sessionOptions(&opts)
	}
	return opts, w.flaw(fault.Options)
}
