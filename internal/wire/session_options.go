package wire

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

// A new session.
func (w *walk) sessionOptions(opts *session.Options) {
	w.Text("transport", may, (*string)(&opts.Transport)) // `http`, `stdio` for anything that carries messages in order, or `requests` for a connection that is another's; `http` if absent
	w.Raw("clientInfo", may, &opts.ClientInfo)           // the client's Implementation object
	w.can(&opts.Can)
	w.Raw("capabilities", may, &opts.Capabilities)    // the clientCapabilities to declare beside `can`, such as extensions, in calls that have none of their own
	w.Texts("versions", &opts.Versions)               // the versions that may be spoken, the preferred one first; one alone pins it
	w.Text("known", may, &opts.Known)                 // the version that `ready` reported earlier for this server
	w.Bool("discover", may, &opts.Discover)           // ask `server/discover` first, over HTTP too
	w.Millis("probeTimeout", may, &opts.ProbeTimeout) // how long a server over stdio may take to say which era it is of; 5000 if absent
	w.Int64("firstId", may, &opts.FirstID)            // the id of the first request, from 1 to 2^20; later ones are larger. A host draws it at random; 1 if absent
	w.Bool("stringIds", may, &opts.StringIDs)         // make request ids strings
	w.Text("dialect", may, (*string)(&opts.Dialect))  // how the server asks, if it follows a proposal from before 2026-07-28: `SEP-2322`, `SEP-2322-draft`, `SEP-2322-draft-camel` or `SEP-1685`
	w.Text("logLevel", may, &opts.LogLevel)           // asks for the server's log messages at this level and above
	w.Bool("cache", may, &opts.Cache)                 // the host performs `recall`, `keep` and `forget`; ignored over `requests`
	w.Text("cachedAs", may, &opts.CachedAs)           // what the host calls the server, if what it keeps outlives the session or is shared; at most 2 KiB
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
