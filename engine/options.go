package engine

import (
	"time"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/fields"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Options shape one flow. The zero value means the documented defaults.
type Options struct {
	// Can is what the host can answer. It is fixed for the flow and goes out
	// with every leg, as a clientCapabilities object. Nil leaves all of that to
	// Capabilities.
	Can *Can

	// Capabilities is a clientCapabilities object as JSON text: what is to be
	// declared beside Can, also inside of what that is about. Nil means {}.
	Capabilities []byte

	// AskConcurrency is how many questions of a round are open at once. Zero
	// means one at a time, a negative number all of them.
	AskConcurrency int

	// LegTimeout bounds the time one leg is in flight. Zero means 60 s, a
	// negative duration no bound.
	//
	// Source: MCP 2026-07-28, basic/patterns/cancellation, Timeouts: clients
	// SHOULD time out every request.
	LegTimeout time.Duration

	// LegMax bounds the time one leg is in flight while the server reports
	// progress, which starts LegTimeout over. Zero means 10 min.
	LegMax time.Duration

	// AskTimeout bounds the time one question is open. Zero means no bound:
	// people take their time.
	AskTimeout time.Duration

	// Budget bounds the time of the whole call that is not spent waiting for
	// a person. Zero means no bound.
	Budget time.Duration

	// Deadline is when the whole call must have ended, in Unix milliseconds.
	// Zero means never. It is the only clock that keeps running while the flow
	// is parked.
	Deadline int64

	// MaxPace bounds the wait before the next leg after a round that asks nothing
	// or only repeats urls. Such waits double up to it; the first 10 without
	// questions take 250 ms each at most. Zero means 5 s; otherwise it is from 1 ms
	// to 1 h.
	MaxPace time.Duration

	// ResendTools lets a tools/call that was lost be sent again by itself, as
	// prompts and resources are: only for tools known to be idempotent.
	ResendTools bool

	// Fresh has a session ask the server, even if an earlier result may be used
	// again. A snapshot does not say so.
	Fresh bool

	// Audit asks for [Note] actions.
	Audit bool

	// MaxRounds is how many rounds may ask something. Zero means 10. At the
	// bound the call fails before anybody is asked in vain.
	MaxRounds int

	// MaxWaits is how many state-only rounds may follow each other. Zero
	// means 120.
	MaxWaits int

	// MaxTries is how many answers that cannot be sent one question may get.
	// Zero means 20: a person corrects an answer, but a program could go on
	// forever.
	MaxTries int

	// Limits bound what the server may send.
	Limits Limits

	// ID names the flow in notes and snapshots. Peer names the server and
	// Principal the person or account on whose behalf it is called; a
	// snapshot opens only for the same two. All three are the host's words,
	// at most 1024 bytes each, and may be empty.
	ID, Peer, Principal string

	anyForm bool // of Can
}

// Limits bound what a call is made of, in bytes unless said otherwise. Zero means
// the default; the largest value is 2147483647. At the defaults no step takes
// long, in WebAssembly either; a step with more takes as much longer. What is asked
// in a round, and an answer, may besides have no more than 16,384 JSON values.
type Limits struct {
	Params   int // params of the call: 1 MiB
	Response int // a response the engine interprets, and one answer of the host: 1 MiB
	Result   int // a response with a complete result: 64 MiB
	State    int // requestState as it stands in the text, with its quotes: 256 KiB
	Asks     int // questions in one round: 64; at most 512
	Key      int // a key of inputRequests, in UTF-8: 256
	Snapshot int // a snapshot: 8 MiB
}

const (
	defaultLegTimeout = 60 * time.Second
	defaultLegMax     = 10 * time.Minute
	defaultMaxRounds  = 10
	defaultMaxWaits   = 120
	defaultMaxTries   = 20

	defaultParams   = 1 << 20
	defaultResponse = 1 << 20
	defaultResult   = 64 << 20
	defaultState    = 256 << 10
	defaultAsks     = 64
	defaultKey      = 256
	defaultSnapshot = 8 << 20

	maxLabel = 1024 // bytes of ID, Peer and Principal
)

// Fields visits every option but Can, which a snapshot does not have: it is
// settled into Capabilities. It is for this module alone.
func (o *Options) Fields(w *fields.Walk) {
	if w.Notation != fields.Snapshot || w.Reads() || string(o.Capabilities) != "{}" {
		w.Raw("capabilities", fields.May, &o.Capabilities) // the clientCapabilities to declare beside `can`, such as extensions; {} if absent
	}
	w.Text("id", fields.May, &o.ID)                   // a label for notes and snapshots
	w.Text("peer", fields.May, &o.Peer)               // the host's own label for the server
	w.Text("principal", fields.May, &o.Principal)     // the host's own label for the person or account that calls
	w.Bool("audit", fields.May, &o.Audit)             // `note` actions
	w.Bool("resendTools", fields.May, &o.ResendTools) // send a lost `tools/call` again by itself
	if w.Notation != fields.Snapshot {
		w.Bool("fresh", fields.May, &o.Fresh) // ask the server, even if an earlier result may be used again
	}
	o.numbers(w)
	w.Int64("deadline", fields.May, &o.Deadline) // of the whole call, Unix ms; keeps running while it is parked
}

// numbers visits what has a default other than zero, with that default, and the
// durations.
func (o *Options) numbers(w *fields.Walk) {
	w.Number("askConcurrency", &o.AskConcurrency, -1, 1)     // questions open at once; below 0 is all
	w.Number("maxRounds", &o.MaxRounds, 0, defaultMaxRounds) // rounds that ask
	w.Number("maxWaits", &o.MaxWaits, 0, defaultMaxWaits)    // rounds in a row that ask nothing
	w.Number("maxTries", &o.MaxTries, 0, defaultMaxTries)    // unusable answers to one question; after that it counts as refused
	o.Limits.fields(w)
	w.Timeout("legTimeout", &o.LegTimeout, -1, defaultLegTimeout) // a leg in flight; below 0 is without bound
	w.Timeout("legMax", &o.LegMax, 0, defaultLegMax)              // a leg in flight while there is progress
	w.Timeout("askTimeout", &o.AskTimeout, 0, 0)                  // a question open; 0 is without bound
	w.Timeout("budget", &o.Budget, 0, 0)                          // the whole call, without the time a person took; 0 is without bound
	w.Timeout("maxPace", &o.MaxPace, -1, defaultMaxPace)          // the longest pause after a round that asks nothing or only repeats urls, 1 to 3,600,000
}

// fields visits the limits: an object of their own at the boundary, and among
// the others in a snapshot.
func (l *Limits) fields(w *fields.Walk) {
	if w.Flat() {
		l.members(w)
		return
	}
	var in fields.Walk
	if w.Nested("limits", *l != Limits{}, &in) {
		for in.Next() {
			l.members(&in)
		}
		w.Leave(&in)
	}
}

func (l *Limits) members(w *fields.Walk) {
	w.Number(w.Either("response", "limitResponse"), &l.Response, 0, defaultResponse) // a response that the engine reads, and one answer, in bytes
	w.Number(w.Either("result", "limitResult"), &l.Result, 0, defaultResult)         // a response with a complete result, in bytes
	w.Number(w.Either("state", "limitState"), &l.State, 0, defaultState)             // a requestState as it stands in the text, in bytes
	w.Number(w.Either("asks", "limitAsks"), &l.Asks, 0, defaultAsks)                 // questions in one round, at most 512
	w.Number(w.Either("key", "limitKey"), &l.Key, 0, defaultKey)                     // a key of inputRequests, in bytes
	w.Number(w.Either("snapshot", "limitSnapshot"), &l.Snapshot, 0, defaultSnapshot) // a snapshot, in bytes
	w.Number(w.Either("params", "limitParams"), &l.Params, 0, defaultParams)         // params of the call, in bytes
}

// settle replaces every zero by its default and brings the rest into one
// spelling, or says what is wrong with it. Capabilities stay in the memory that
// they are in.
func (o *Options) settle() *Error {
	if o.Can != nil {
		declared, err := o.Can.Declare(o.Capabilities)
		if err != nil {
			return err.(*Error)
		}
		o.anyForm = o.Can.AnyForm
		o.Can, o.Capabilities = nil, declared
	}
	if o.Capabilities == nil {
		o.Capabilities = []byte("{}")
	}
	if err := checkObject(o.Capabilities); err != nil {
		return optionsError("Capabilities", err)
	}
	o.Capabilities = rawjson.Trim(o.Capabilities)
	return o.settleNumbers()
}

// settleNumbers is settle for all but the capabilities.
func (o *Options) settleNumbers() *Error {
	var w fields.Walk
	w.Settle()
	if o.numbers(&w); w.Flaw != "" {
		return newError(fault.Options, sentence.Value(w.Flaw))
	}
	if o.Limits.Asks > rawjson.MaxNames {
		return newError(fault.Options, count("limits.asks is more than {0}, the most members that inputRequests may have", rawjson.MaxNames))
	}
	if o.MaxPace < 0 || o.MaxPace > longestPace {
		return newError(fault.Options, "maxPace is not between 1 ms and 1 h")
	}
	if o.Deadline < 0 || o.Deadline > maxNow {
		return newError(fault.Options, "Deadline is no time in Unix milliseconds")
	}
	if !isLabel(o.ID) || !isLabel(o.Peer) || !isLabel(o.Principal) {
		return newError(fault.Options, "ID, Peer or Principal is longer than 1024 bytes or not UTF-8")
	}
	return nil
}

func isLabel(text string) bool { return len(text) <= maxLabel && rawjson.ValidUTF8([]byte(text)) }

// checkObject reports why text is not one JSON object.
func checkObject(text []byte) *rawjson.Error {
	var m rawjson.Members
	for m.Start(text); m.Next(); {
	}
	return m.Err
}

func optionsError(what sentence.Text, err *rawjson.Error) *Error {
	return newError(fault.Options, sentence.Join(what, err.Sentence()))
}
