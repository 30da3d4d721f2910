package extism_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/enginetest"
)

// player plays one script: the host's callbacks say what the script says.
type player struct {
	t      *testing.T
	host   host
	blocks []enginetest.Block // what is still to come
	skip   string             // why the rest cannot be played
	over   bool               // the script ends within the call
	killed bool               // the call under way goes on from its last snapshot

	now    int64
	wait   int64             // the last Wait; one that is over the script does not tell
	waits  bool              // it came just now
	expect []json.RawMessage // sends, tells and ends that have to come
	asks   map[int]string    // open questions
	labels struct{ Peer, Principal string }
	last   string // the last outcome's snapshot
}

// event is what of an event tells whether it can be said now.
type event struct {
	Type     string
	Leg, Ask int
}

func (p *player) play() {
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
	p.now, p.asks, p.wait = now, map[int]string{}, 0
	p.take(b.Answer)
	return arg, true
}

func (p *player) call(export, input string) string {
	return string(p.host.call(p.t, export, []byte(input), p.answer))
}

// answer is every callback: it checks what is asked for and says what comes
// next in the script.
func (p *player) answer(callback string, text []byte) []byte {
	if p.skip != "" || p.over || p.killed {
		return p.say(`{"type":"cancel"}`)
	}
	p.passTime()
	var asked struct {
		Type, Kind, Snapshot string
		Leg, Ask             int
		At, Until            int64
	}
	if err := json.Unmarshal(text, &asked); err != nil {
		p.t.Fatalf("%v in %s", err, text)
	}
	if p.skip != "" || p.over {
		return p.say(`{"type":"cancel"}`)
	}
	want := "send"
	if asked.Type == "ask" {
		want = map[string]string{"elicitation/create": "elicit", "sampling/createMessage": "sample", "roots/list": "list_roots"}[asked.Kind]
		p.check(text, p.asks[asked.Ask])
	} else if len(p.expect) > 0 {
		p.check(text, string(p.expect[0]))
		p.expect = p.expect[1:]
	} else {
		p.t.Fatalf("%s: got %s, want nothing more", callback, text)
	}
	if callback != want {
		p.t.Errorf("the callback is %s, want %s", callback, want)
	}
	if asked.Type != "tell" && asked.Until != p.wait && (asked.Until != 0 || p.waits) {
		p.t.Errorf("until is %d, want %d in %s", asked.Until, p.wait, text)
	}
	if asked.Type == "tell" {
		return p.say(`{"type":"lost"}`) // what comes of it does not matter
	}
	for {
		if len(p.blocks) == 0 {
			p.over = true
			return p.say(`{"type":"cancel"}`)
		}
		b := p.next()
		verb, arg, _ := strings.Cut(enginetest.Expand(b.Call), " ")
		if verb == "snapshot" {
			p.checkSnapshot(asked.Snapshot, b.Answer)
			continue
		}
		if verb == "restore" {
			p.blocks = append([]enginetest.Block{b}, p.blocks...)
			p.last, p.killed = asked.Snapshot, true
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
		if p.skip = p.whyNot(arg, b.Answer, asked.Type, asked.Leg); p.skip != "" {
			return p.say(`{"type":"cancel"}`)
		}
		p.said(arg)
		p.take(b.Answer)
		return p.say(arg)
	}
}

// whyNot tells why a callback cannot come back with an event.
func (p *player) whyNot(arg, answer, asked string, leg int) string {
	var ev event
	json.Unmarshal([]byte(arg), &ev)
	bad := strings.HasPrefix(answer, `{"error"`)
	switch {
	case bad:
		return "usage"
	case ev.Type == "response" || ev.Type == "lost":
		if asked != "send" || ev.Leg != leg {
			return "leg"
		}
	case ev.Type == "answer" || ev.Type == "refuse":
		if asked != "ask" || p.asks[ev.Ask] == "" {
			return "usage"
		}
	case ev.Type == "park":
		if asked != "ask" {
			return "park"
		}
	case ev.Type == "saved" || ev.Type == "saveFailed":
		return "notices"
	case ev.Type != "cancel" && ev.Type != "tick":
		return ev.Type
	}
	return ""
}

// said closes a question that an event answers.
func (p *player) said(arg string) {
	var ev event
	json.Unmarshal([]byte(arg), &ev)
	if ev.Type == "answer" || ev.Type == "refuse" {
		delete(p.asks, ev.Ask)
	}
}

// passTime plays the ticks of a call that only waits.
func (p *player) passTime() {
	for len(p.expect) == 0 && len(p.asks) == 0 && !p.over {
		if p.over = len(p.blocks) == 0; p.over {
			return
		}
		b := p.next()
		verb, arg, _ := strings.Cut(enginetest.Expand(b.Call), " ")
		now, err := strconv.ParseInt(verb, 10, 64)
		switch {
		case err != nil, arg != `{"type":"tick"}`, acts(b.Answer) && now != p.wait:
			p.skip = "time"
			return
		}
		p.now = now
		p.take(b.Answer)
	}
}

// end checks how a call ended and passes over what the script says to a call
// that is over, as nobody is there to say it to.
func (p *player) end(outcome string) {
	p.passTime()
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
