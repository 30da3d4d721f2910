package blocking

import (
	"strconv"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/wire"
	"github.com/parley-mcp/parley/rawjson"
)

// readAnswer reads what a callback answered: an event, with now among its
// members. leg and ask are put in where they were left out.
func readAnswer(from Callback, data []byte, leg, ask int) (ev engine.Event, now int64, fault string) {
	if len(data) == 0 {
		return nil, 0, "the answer is empty, or longer than the plug-in takes"
	}
	var hasNow, hasLeg, hasAsk bool
	var kind []byte
	rest := append(make([]byte, 0, len(data)+len(`"leg":`)+20), '{')
	var m rawjson.Members
	for m.Start(data); m.Next(); {
		switch {
		case m.Is("now"):
			var ok bool
			if now, ok = rawjson.Int(m.Value); !ok || now < 0 || hasNow {
				return nil, 0, "now is not the Unix time in milliseconds"
			}
			hasNow = true
			continue
		case m.Is("type"):
			kind = m.Value
		case m.Is("leg"):
			hasLeg = true
		case m.Is("ask"):
			hasAsk = true
		}
		rest = joinMember(rest, m.Name, m.Value)
	}
	switch {
	case m.Err != nil:
		return nil, 0, m.Err.Error()
	case !hasNow:
		return nil, 0, "now is missing: give the Unix time in milliseconds with every answer"
	case !hasLeg && (rawjson.Is(kind, "response") || rawjson.Is(kind, "lost")):
		rest = joinMember(rest, []byte(`"leg"`), strconv.AppendInt(nil, int64(leg), 10))
	case !hasAsk && (rawjson.Is(kind, "answer") || rawjson.Is(kind, "refuse")):
		rest = joinMember(rest, []byte(`"ask"`), strconv.AppendInt(nil, int64(ask), 10))
	}
	ev, bad := wire.DecodeEvent(append(rest, '}'))
	if bad != nil {
		return nil, 0, bad.Detail
	}
	if !fits(from, ev) {
		return nil, 0, "an event of this type is no answer here"
	}
	return ev, now, ""
}

// fits reports whether an event can be what a callback came back with.
func fits(from Callback, ev engine.Event) bool {
	switch ev.(type) {
	case engine.Response, engine.Lost:
		return from == Send
	case engine.Answer, engine.Refuse, engine.Park:
		return from != Send
	case engine.Cancel, engine.Tick:
		return true
	}
	return false
}
