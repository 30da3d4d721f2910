package extism_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

// player plays one script: the host's callbacks say what the script says.
type player struct {
	t      *testing.T
	host   host
	blocks []enginetest.Block // what is still to come
	skip   string             // why the rest cannot be played
	over   bool               // the script ends within the call
	killed bool               // the call under way goes on from its last snapshot

	now      int64
	exchange int               // of the leg in flight
	leg      int               // in flight, 0 if none
	snapshot string            // the last one that a callback got
	wait     int64             // the last Wait; one that is over the script does not tell
	waits    bool              // it came just now
	expect   []json.RawMessage // sends, tells and ends that have to come
	asks     map[int]string    // open questions
	labels   struct{ Peer, Principal string }
	last     string // the last outcome's snapshot
}

// event is what of an event tells whether it can be said now.
type event struct {
	Type     string
	Leg, Ask int
}

func (p *player) play() {
	for _, b := range p.blocks {
		if strings.Contains(b.Call, `"type":"part"`) {
			p.skip = "slices"
			return
		}
	}
	begin(p.t, p.host, "transport", "requests")
	first := p.next()
	verb, arg, _ := strings.Cut(enginetest.Expand(first.Call), " ")
	export := map[string]string{"new": "call", "load": "resume"}[verb]
	if answer := enginetest.Expand(first.Answer); answer != "ok" {
		if got := p.call(export, with(arg, `"now":0`)); got != answer {
			p.t.Errorf("%s\n got %s\nwant %s", first.Call, got, answer)
		}
		return
	}
	if verb == "new" {
		var request struct {
			Options struct{ Peer, Principal string }
		}
		json.Unmarshal([]byte(arg), &request)
		p.labels = request.Options
	} else {
		json.Unmarshal([]byte(arg), &p.labels)
	}
	for p.skip == "" {
		begin, ok := p.begin()
		if !ok {
			return
		}
		extra := fmt.Sprintf(`"now":%d,"snapshots":true`, p.now)
		if more := strings.TrimPrefix(strings.TrimSuffix(begin, "}"), `{"type":"begin"`); export == "resume" {
			extra += more
		} else if more != "" {
			p.skip = "begin"
			return
		}
		outcome := p.call(export, with(arg, extra))
		if p.skip != "" || p.over {
			return
		}
		if p.killed {
			p.killed, p.expect = false, nil
		} else {
			p.end(outcome)
		}
		export, arg = "resume", p.restore()
	}
}

// begin is the next event, which must be begin.
func (p *player) begin() (text string, ok bool) {
	if len(p.blocks) == 0 {
		return "", false
	}
	b := p.next()
	at, arg, _ := strings.Cut(b.Call, " ")
	now, err := strconv.ParseInt(at, 10, 64)
	if err != nil || !strings.HasPrefix(arg, `{"type":"begin"`) || !strings.HasPrefix(b.Answer, `{"actions"`) {
		p.skip = "early"
		return "", false
	}
	if strings.Contains(arg, `"save":true`) || strings.Contains(arg, `"watch":true`) {
		p.skip = "notices"
		return "", false
	}
	p.now, p.asks, p.wait, p.leg, p.snapshot = now, map[int]string{}, 0, 0, ""
	p.take(b.Answer)
	return arg, true
}

// call makes a call in a session of its own: what was restored is in another
// process, with another clock.
func (p *player) call(export, input string) string {
	p.host.call(p.t, "close", object("now", 0), func(string, []byte) []byte { return object("now", now(), "type", "tick") })
	p.host.call(p.t, "session", object("transport", "requests"), nil)
	return string(p.host.call(p.t, export, []byte(input), p.answer))
}

// answer is every callback: it checks what is asked for and says what comes
// next in the script.
func (p *player) answer(callback string, text []byte) []byte {
	var asked struct {
		Type, Kind, Snapshot string
		Exchange, Leg, Ask   int
		Until                int64
		Method, Params       json.RawMessage
	}
	if err := json.Unmarshal(text, &asked); err != nil {
		p.t.Fatalf("%v in %s", err, text)
	}
	if asked.Snapshot != "" {
		p.snapshot = asked.Snapshot
	}
	if p.skip != "" || p.over || p.killed {
		return p.say(`{"type":"cancel"}`)
	}
	want := "receive"
	switch asked.Type {
	case "abort": // which leg is given up, the rest of the script tells
		if p.exchange == asked.Exchange {
			p.leg = 0
		}
		return p.say(`{"type":"tick"}`)
	case "request":
		want = "post"
		sent := fmt.Sprintf(`{"type":"tell","method":%s,"params":%s}`, asked.Method, asked.Params)
		if asked.Leg != 0 {
			p.leg, p.exchange = asked.Leg, asked.Exchange
			sent = fmt.Sprintf(`{"type":"send","leg":%d,"method":%s,"params":%s}`, asked.Leg, asked.Method, asked.Params)
		}
		if len(p.expect) == 0 {
			p.t.Fatalf("%s: got %s, want nothing more", callback, text)
		}
		p.check([]byte(sent), string(p.expect[0]))
		p.expect = p.expect[1:]
	case "ask":
		want = map[string]string{"elicitation/create": "elicit", "sampling/createMessage": "sample", "roots/list": "list_roots"}[asked.Kind]
		p.check(text, p.asks[asked.Ask])
	}
	if callback != want {
		p.t.Errorf("the callback is %s, want %s", callback, want)
	}
	if callback == "post" {
		if asked.Leg != 0 {
			return p.say(`{"type":"tick"}`)
		}
		return p.say(fmt.Sprintf(`{"type":"ended","exchange":%d}`, asked.Exchange)) // what comes of it does not matter
	}
	if asked.Until != p.wait && (asked.Until != 0 || p.waits) {
		p.t.Errorf("until is %d, want %d in %s", asked.Until, p.wait, text)
	}
	for {
		if len(p.blocks) == 0 {
			p.over = true
			return p.say(`{"type":"cancel"}`)
		}
		b := p.next()
		verb, arg, _ := strings.Cut(enginetest.Expand(b.Call), " ")
		if verb == "snapshot" {
			p.checkSnapshot(p.snapshot, b.Answer)
			continue
		}
		if verb == "restore" {
			p.blocks = append([]enginetest.Block{b}, p.blocks...)
			p.last, p.killed = p.snapshot, true
			return p.say(`{"type":"cancel"}`)
		}
		now, err := strconv.ParseInt(verb, 10, 64)
		if err != nil {
			p.t.Fatalf("unknown call %q", b.Call)
		}
		p.now = now
		if strings.Contains(arg, `"type":"tick"`) && !acts(b.Answer) {
			p.take(b.Answer)
			continue // nobody needs to know
		}
		if p.skip = p.whyNot(arg, b.Answer, callback); p.skip != "" {
			return p.say(`{"type":"cancel"}`)
		}
		p.said(arg)
		p.take(b.Answer)
		return p.say(p.wired(arg))
	}
}

// wired is an event of the script as a host of the plug-in says it: of a leg it
// knows the exchange.
func (p *player) wired(arg string) string {
	var ev struct {
		Type   string
		Body   json.RawMessage
		Reason json.RawMessage
		Unsent bool
	}
	json.Unmarshal([]byte(arg), &ev)
	switch ev.Type {
	case "response":
		p.leg = 0
		return fmt.Sprintf(`{"type":"message","exchange":%d,"body":%s,"last":true}`, p.exchange, ev.Body)
	case "progress":
		return fmt.Sprintf(`{"type":"message","exchange":%d,"body":"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}"}`, p.exchange)
	case "lost":
		p.leg = 0
		more := ""
		if ev.Reason != nil {
			more = `,"reason":` + string(ev.Reason)
		}
		if ev.Unsent {
			more += `,"unsent":true`
		}
		return fmt.Sprintf(`{"type":"ended","exchange":%d%s}`, p.exchange, more)
	}
	return arg
}

// whyNot tells why a callback cannot come back with an event.
func (p *player) whyNot(arg, answer, callback string) string {
	var ev struct {
		event
		Body string
	}
	json.Unmarshal([]byte(arg), &ev)
	bad := strings.HasPrefix(answer, `{"error"`)
	switch {
	case bad:
		return "usage"
	case ev.Type == "response" || ev.Type == "lost" || ev.Type == "progress":
		switch {
		case callback != "receive" || p.leg == 0 || ev.Leg != p.leg:
			return "leg"
		case ev.Type == "response" && !isResponse(ev.Body):
			return "message"
		}
	case ev.Type == "answer" || ev.Type == "refuse":
		if callback == "receive" || p.asks[ev.Ask] == "" {
			return "usage"
		}
	case ev.Type == "saved" || ev.Type == "saveFailed":
		return "notices"
	case ev.Type != "cancel" && ev.Type != "tick" && ev.Type != "park":
		return ev.Type
	}
	return ""
}

// isResponse reports whether a session takes a text for a JSON-RPC response: the
// rest is its own to judge, and not its call's.
func isResponse(body string) bool {
	messages, err := session.ParseMessages([]byte(body))
	return err == nil && len(messages) == 1 && messages[0].Method == ""
}

// said closes a question that an event answers.
func (p *player) said(arg string) {
	var ev event
	json.Unmarshal([]byte(arg), &ev)
	if ev.Type == "answer" || ev.Type == "refuse" {
		delete(p.asks, ev.Ask)
	}
}

// end checks how a call ended and passes over what the script says to a call
// that is over, as nobody is there to say it to.
func (p *player) end(outcome string) {
	if p.skip != "" || p.over {
		return
	}
	if len(p.expect) != 1 {
		p.t.Fatalf("the outcome is %s, want %s first", outcome, p.expect)
	}
	p.check([]byte(outcome), string(p.expect[0]))
	var o struct{ Snapshot string }
	json.Unmarshal([]byte(outcome), &o)
	p.last, p.expect = o.Snapshot, nil
	for len(p.blocks) > 0 && (p.blocks[0].Answer == `{"actions":[]}` || strings.HasPrefix(p.blocks[0].Answer, `{"error"`)) {
		if strings.Contains(p.blocks[0].Call, `"type":"lost"`) {
			p.skip = "leg"
		}
		p.blocks = p.blocks[1:]
	}
}

// restore is the request that goes on with the last outcome, with the bounds
// the script gives.
func (p *player) restore() string {
	labels, _ := json.Marshal(map[string]string{"peer": p.labels.Peer, "principal": p.labels.Principal})
	arg := string(labels)
	for len(p.blocks) > 0 {
		verb, more, _ := strings.Cut(p.blocks[0].Call, " ")
		if verb == "restore" {
			arg = more
		} else if verb != "snapshot" {
			break
		}
		if b := p.next(); verb == "snapshot" {
			if p.last != "" { // what cannot go on has none
				p.checkSnapshot(p.last, b.Answer)
			}
		} else if b.Answer != "ok" {
			snapshot, _ := json.Marshal(p.last)
			if got := p.call("resume", with(arg, `"now":0,"snapshot":`+string(snapshot))); got != b.Answer {
				p.t.Errorf("%s\n got %s\nwant %s", b.Call, got, b.Answer)
			}
			arg = string(labels)
		}
	}
	snapshot, _ := json.Marshal(p.last)
	return with(arg, `"snapshot":`+string(snapshot))
}

func (p *player) next() enginetest.Block {
	b := p.blocks[0]
	p.blocks = p.blocks[1:]
	return b
}

// say is an event of the script as an answer.
func (p *player) say(event string) []byte {
	return []byte(with(event, fmt.Sprintf(`"now":%d`, p.now)))
}

// take notes what must follow from an event.
func (p *player) take(answer string) {
	var a struct {
		Actions []json.RawMessage
	}
	json.Unmarshal([]byte(enginetest.Expand(answer)), &a)
	p.waits = false
	for _, text := range a.Actions {
		var action struct {
			Type  string
			Ask   int
			Until int64
		}
		json.Unmarshal(text, &action)
		switch action.Type {
		case "ask":
			p.asks[action.Ask] = string(text)
		case "withdraw":
			delete(p.asks, action.Ask)
		case "wait":
			p.wait, p.waits = action.Until, true
		case "send", "tell", "done", "parked", "failed":
			p.expect = append(p.expect, text)
		}
	}
}

// acts reports whether anything follows from a step but a Wait.
func acts(answer string) bool {
	return strings.Contains(strings.ReplaceAll(answer, `{"type":"wait"`, ""), `{"type":"`)
}

// check holds a text of the plug-in to the action it must be; the plug-in adds
// members of its own at the end.
func (p *player) check(got []byte, want string) {
	p.t.Helper()
	if text := strings.TrimSuffix(string(got), "}"); want == "" || !strings.HasPrefix(text, strings.TrimSuffix(want, "}")) {
		p.t.Fatalf("\n got %s\nwant %s", got, want)
	}
}

func (p *player) checkSnapshot(got, answer string) {
	p.t.Helper()
	var want struct{ Snapshot string }
	json.Unmarshal([]byte(enginetest.Expand(answer)), &want)
	if want.Snapshot == "" { // the last one stands
		return
	}
	if got, want := withoutIDs(got), withoutIDs(want.Snapshot); got != want {
		p.t.Errorf("snapshot\n got %s\nwant %s", got, want)
	}
}

// withoutIDs takes out of a snapshot which id its call used last, which is the
// plug-in's to choose and in no script of a flow, and the checksum over it.
func withoutIDs(snapshot string) string {
	return chosenByTheHost.ReplaceAllString(snapshot, "")
}

var chosenByTheHost = regexp.MustCompile(`,"lastId":\d+|,"sum":"[0-9a-f]+"`)

// with adds members to an object.
func with(object, more string) string {
	open := strings.TrimSuffix(strings.TrimSpace(object), "}")
	if strings.TrimSpace(open) == "{" {
		return open + more + "}"
	}
	return open + "," + more + "}"
}
