package engine

import (
	"math"
	"time"
	"unicode/utf8"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
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

	// ResendTools lets a tools/call that was lost be sent again by itself, as
	// prompts and resources are: only for tools known to be idempotent.
	ResendTools bool

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

	// Audit asks for [Note] actions.
	Audit bool

	// ID names the flow in notes and snapshots. Peer names the server and
	// Principal the person or account on whose behalf it is called; a
	// snapshot opens only for the same two. All three are the host's words,
	// at most 1024 bytes each, and may be empty.
	ID, Peer, Principal string
}

// Limits bound what a server may send, in bytes unless said otherwise. Zero
// means the default; the largest value is 2147483647.
type Limits struct {
	Response int // a response the engine interprets, and one answer of the host: 4 MiB
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

	defaultResponse = 4 << 20
	defaultResult   = 64 << 20
	defaultState    = 256 << 10
	defaultAsks     = 64
	defaultKey      = 256
	defaultSnapshot = 8 << 20

	maxLabel = 1024 // bytes of ID, Peer and Principal

	// maxTimeout keeps every sum of a time and a timeout far from overflow.
	maxTimeout = 10 * 365 * 24 * time.Hour
)

// The numbers of Options by their names in a snapshot, with their defaults;
// durations are in milliseconds.
var numbers = [...]struct {
	name string
	zero int64
}{
	{"askConcurrency", 1},
	{"maxRounds", defaultMaxRounds},
	{"maxWaits", defaultMaxWaits},
	{"maxTries", defaultMaxTries},
	{"limitResponse", defaultResponse},
	{"limitResult", defaultResult},
	{"limitState", defaultState},
	{"limitAsks", defaultAsks},
	{"limitKey", defaultKey},
	{"limitSnapshot", defaultSnapshot},
	{"legTimeout", int64(defaultLegTimeout / time.Millisecond)},
	{"legMax", int64(defaultLegMax / time.Millisecond)},
	{"askTimeout", 0},
	{"budget", 0},
}

const firstDuration = 10 // of numbers

// number is where the i-th of numbers is: an int or a duration.
func (o *Options) number(i int) (*int, *time.Duration) {
	switch i {
	case 0:
		return &o.AskConcurrency, nil
	case 1:
		return &o.MaxRounds, nil
	case 2:
		return &o.MaxWaits, nil
	case 3:
		return &o.MaxTries, nil
	case 4:
		return &o.Limits.Response, nil
	case 5:
		return &o.Limits.Result, nil
	case 6:
		return &o.Limits.State, nil
	case 7:
		return &o.Limits.Asks, nil
	case 8:
		return &o.Limits.Key, nil
	case 9:
		return &o.Limits.Snapshot, nil
	case firstDuration:
		return nil, &o.LegTimeout
	case firstDuration + 1:
		return nil, &o.LegMax
	case firstDuration + 2:
		return nil, &o.AskTimeout
	default:
		return nil, &o.Budget
	}
}

func (o *Options) get(i int) int64 {
	n, d := o.number(i)
	if n != nil {
		return int64(*n)
	}
	return int64(*d / time.Millisecond)
}

func (o *Options) set(i int, value int64) {
	n, d := o.number(i)
	if n != nil {
		*n = int(value)
	} else {
		*d = time.Duration(value) * time.Millisecond
	}
}

// settle replaces every zero by its default and brings the rest into one
// spelling, or says what is wrong with it.
func (o *Options) settle() *Error {
	if o.Can != nil {
		declared, err := o.Can.Declare(o.Capabilities)
		if err != nil {
			return err.(*Error)
		}
		o.Can, o.Capabilities = nil, declared
	}
	if o.Capabilities == nil {
		o.Capabilities = []byte("{}")
	}
	if err := checkObject(o.Capabilities); err != nil {
		return optionsError("Capabilities", err)
	}
	span, _ := rawjson.Value(o.Capabilities)
	o.Capabilities = append([]byte(nil), span...)
	for i := range numbers {
		value := o.get(i)
		if _, d := o.number(i); d != nil {
			value = millis(min(*d, maxTimeout)) // rounded up, so that none becomes zero
			if *d < 0 {
				value = -1
			}
		}
		switch name := numbers[i].name; {
		case value == 0:
			value = numbers[i].zero
		case value < 0 && (name == "askConcurrency" || name == "legTimeout"):
			value = -1
		case value < 0 && i >= firstDuration: // a duration without bound
			value = numbers[i].zero
		case value < 0, value > math.MaxInt32 && i < firstDuration: // an int of the module, and of a snapshot
			return &Error{fault.Options, name + " is out of range"}
		case name == "limitAsks" && value > rawjson.MaxNames:
			return &Error{fault.Options, "limits.asks is more than " + rawjson.Itoa(rawjson.MaxNames) + ", the most members that inputRequests may have"}
		}
		o.set(i, value)
	}
	if o.Deadline < 0 || o.Deadline > maxNow {
		return &Error{fault.Options, "Deadline is no time in Unix milliseconds"}
	}
	if !isLabel(o.ID) || !isLabel(o.Peer) || !isLabel(o.Principal) {
		return &Error{fault.Options, "ID, Peer or Principal is longer than 1024 bytes or not UTF-8"}
	}
	return nil
}

func isLabel(text string) bool { return len(text) <= maxLabel && utf8.Valid([]byte(text)) }

// checkObject reports why text is not one JSON object.
func checkObject(text []byte) *rawjson.Error {
	var m rawjson.Members
	for m.Start(text); m.Next(); {
	}
	return m.Err
}

func optionsError(what string, err *rawjson.Error) *Error {
	return &Error{fault.Options, what + ": " + err.Error()}
}
