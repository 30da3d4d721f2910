package session

import (
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/rawjson"
)

// Transport is how messages travel.
type Transport string

// The kinds of transport.
const (
	HTTP  Transport = "http"  // Streamable HTTP
	Stdio Transport = "stdio" // lines to and from a process; anything else that carries messages in order

	// Requests is a connection that is somebody else's, such as another client's
	// or a function in a test: it carries requests and brings their responses.
	// Ids, header fields and the protocol version, which must be a modern one,
	// are its own, so Options does not cover them.
	Requests Transport = "requests"
)

// Options shape a session. The zero value is a session over HTTP that declares
// nothing.
type Options struct {
	Transport Transport // "" means HTTP

	// ClientInfo is the client's Implementation object as JSON text. Nil leaves
	// it out; servers that insist are told the name Parley.
	ClientInfo []byte

	// Can is what the host can answer in a call that does not say it itself;
	// see [engine.Options]. Servers of earlier eras are told this, and nothing
	// else, once. Nil leaves all of that to Capabilities.
	Can *engine.Can

	// Capabilities is a clientCapabilities object as JSON text: what to declare
	// beside Can, or in a call that says neither. Nil means {}.
	Capabilities []byte

	// added is Capabilities as it was given beside Can: what every call declares
	// that says only what it can.
	added []byte

	authorizes bool // of Can
	anyForm    bool // of Can

	// Versions are the protocol versions that may be spoken, the preferred
	// one first. Nil means all that this package knows; one alone pins it. With
	// [engine.DialectApproved] there may be others, which client and server have
	// agreed on: the dialect then holds where the server chooses one of those.
	Versions []string

	// Known is the version that [Ready] reported earlier for this server: it is
	// used at once, and negotiated again only if that fails.
	Known string

	// Discover sends server/discover before the first request, over HTTP too.
	// Over stdio that is always done, unless the version is pinned or known.
	Discover bool

	// ProbeTimeout is how long a server over stdio may take for
	// server/discover before it is taken for one of an earlier era. Zero means
	// 5 s.
	ProbeTimeout time.Duration

	// FirstID is the id of the first request; later ones are larger. Zero means
	// 1, the largest is 2^20, because servers keep ids in 32 bits. A host draws it
	// at random for each session, so that a call that continues elsewhere does not
	// begin with ids that it used here after its last snapshot.
	FirstID int64

	// StringIDs makes request ids strings instead of integers.
	StringIDs bool

	// Cache says that the host performs [Recall], [Keep] and [Forget]. A list, a
	// resource or the answer to server/discover is then used again for as long as
	// the server says, instead of asking it; of servers of earlier eras nothing
	// is. It is ignored over [Requests], where who has the connection may cache.
	Cache bool

	// CachedAs is what the host calls the server, such as its url, if what it keeps
	// outlives the session or is shared with others: they use again what the
	// server said is for anybody. "" means that this session alone does. At most 2
	// KiB.
	CachedAs string

	// Dialect is how the server asks, if it follows a proposal from before
	// 2026-07-28: [engine.DialectApproved], which servers of any version may speak, or
	// [engine.DialectDraft], [engine.DialectDraftCamel] or
	// [engine.DialectState], which extend earlier eras: without Versions only
	// those are spoken. "" means as the protocol version says, or as a call began that
	// is restored.
	Dialect engine.Dialect
	dialect drafts.Dialect // the same

	// LogLevel asks for notifications/message at this level and above, as the
	// protocol spells it. "" asks for none; servers of earlier eras may send
	// some anyway.
	LogLevel string
}

// The protocol versions that this package knows, the latest first.
const (
	latest    = ProtocolVersion
	firstHTTP = "2025-03-26" // the first one over Streamable HTTP; it knows no MCP-Protocol-Version
	oldest    = "2024-11-05" // what a call needs of it is the same on the wire as in the one after; nothing else is promised
)

var known = [...]string{latest, "2025-11-25", "2025-06-18", firstHTTP, oldest}

func isKnown(version string) bool {
	for _, v := range known {
		if v == version {
			return true
		}
	}
	return false
}

// isModern reports whether requests of a version carry it themselves.
func isModern(version string) bool { return version == latest }

const (
	defaultProbeTimeout = 5 * time.Second

	maxVersion = 64 // bytes of a version that is not the protocol's

	maxCachedAs = 2 << 10 // bytes

	maxFirstID = 1 << 20 // some servers keep ids in 32 bits
)

// settle replaces zeros by their defaults, or says what is wrong.
func (o *Options) settle() *engine.Error {
	bad := o.settleTransport()
	if bad == nil {
		bad = o.settleClient()
	}
	if bad == nil {
		bad = o.settleVersions()
	}
	if bad != nil {
		return bad
	}
	if o.FirstID == 0 {
		o.FirstID = 1
	}
	if o.FirstID < 1 || o.FirstID > maxFirstID {
		return newError(fault.Options, "FirstID is not between 1 and 2^20")
	}
	if len(o.CachedAs) > maxCachedAs || !rawjson.ValidUTF8([]byte(o.CachedAs)) {
		return newError(fault.Options, "CachedAs is longer than 2 KiB or not UTF-8")
	}
	o.Cache = o.Cache && o.Transport != Requests
	if o.ProbeTimeout <= 0 {
		o.ProbeTimeout = defaultProbeTimeout
	}
	return nil
}

// settleTransport settles how messages travel, and in which dialect.
func (o *Options) settleTransport() *engine.Error {
	switch o.Transport {
	case "":
		o.Transport = HTTP
	case HTTP, Stdio:
	case Requests:
		if o.ClientInfo != nil || len(o.Versions) > 0 || o.Known != "" || o.Discover || o.StringIDs || o.Dialect != "" || o.LogLevel != "" {
			return newError(fault.Options, "over requests the connection knows its own client, version, ids, dialect and log level")
		}
	default:
		return newError(fault.Options, `Transport is none of "http", "stdio" and "requests"`)
	}
	o.dialect = drafts.Named(string(o.Dialect))
	if o.dialect != drafts.MRTR && o.dialect != drafts.Approved && !o.dialect.AsksBeside() {
		return newError(fault.Options, "Dialect is not one that a host can choose")
	}
	return nil
}

// settleClient settles what the client says of itself.
func (o *Options) settleClient() *engine.Error {
	if o.Can != nil {
		declared, err := o.Can.Declare(o.Capabilities)
		if err != nil {
			return err.(*engine.Error)
		}
		o.authorizes, o.anyForm = o.Can.Authorize, o.Can.AnyForm
		o.Can, o.Capabilities, o.added = nil, declared, append([]byte(nil), o.Capabilities...)
	}
	if o.Capabilities == nil {
		o.Capabilities = []byte("{}")
	}
	if bad := envelope.CheckObject("Capabilities", o.Capabilities); bad != nil {
		return bad
	}
	o.Capabilities = append([]byte(nil), o.Capabilities...)
	if o.ClientInfo != nil {
		if bad := envelope.CheckObject("ClientInfo", o.ClientInfo); bad != nil {
			return bad
		}
		o.ClientInfo = append([]byte(nil), o.ClientInfo...)
	}
	return nil
}

// settleVersions settles which versions may be spoken.
func (o *Options) settleVersions() *engine.Error {
	if len(o.Versions) == 0 {
		o.Versions = known[:]
		if o.dialect.AsksBeside() {
			o.Versions = known[1:]
		}
	}
	for _, v := range o.Versions {
		if !isKnown(v) && !(o.dialect == drafts.Approved && v != "" && len(v) <= maxVersion && isPlain(v)) {
			return newError(fault.Options, "Versions has one that is not known here")
		}
		if isModern(v) && o.dialect.AsksBeside() {
			return newError(fault.Options, "Versions has one in which the Dialect is not spoken")
		}
	}
	if !o.speaks(o.Known) { // the host may have kept it from before an update
		o.Known = ""
	}
	return nil
}

// agrees reports whether [engine.DialectApproved] holds in a session of an
// earlier era. Who names versions of their own has agreed on it for those alone.
func (o *Options) agrees(version string) bool {
	if !isKnown(version) {
		return true
	}
	for _, v := range o.Versions {
		if !isKnown(v) {
			return false
		}
	}
	return true
}

// speaks reports whether a version may be spoken.
func (o *Options) speaks(version string) bool {
	for _, v := range o.Versions {
		if v == version {
			return true
		}
	}
	return false
}

// preferredKnown is the first of the protocol's earlier versions that may be
// spoken, "" if none may.
func (o *Options) preferredKnown() string {
	for _, v := range o.Versions {
		if isKnown(v) && !isModern(v) {
			return v
		}
	}
	return ""
}

// preferred is the first version that may be spoken of the modern ones or of
// the earlier ones, "" if none may.
func (o *Options) preferred(ofModern bool) string {
	for _, v := range o.Versions {
		if isModern(v) == ofModern {
			return v
		}
	}
	return ""
}
