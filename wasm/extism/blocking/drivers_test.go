package blocking_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/drivertest"
	"github.com/parley-mcp/parley/wasm/extism/blocking"
)

// TestDrivers plays the corpus of drivers as far as a host can whose callbacks
// block: one at a time is called, and nothing happens but that it comes back.
func TestDrivers(t *testing.T) {
	drivertest.Run(t, "../../../hosts/testdata/drivers", drivertest.Driver{
		Names: []string{"guest"},
		Lacks: lacks,
		Sees:  sees,
		Play:  func(_ *testing.T, _ *drivertest.Script, play func(drivertest.Stage)) { play(&stage{}) },
	}, false)
}

// lacks says what of a script has no counterpart in a plug-in.
func lacks(s *drivertest.Script) string {
	for _, need := range []string{"instance", "clock"} {
		if s.Needs(need) {
			return "it has no " + need
		}
	}
	for what, why := range map[string]string{
		"save":       "a snapshot comes with callbacks",
		"canceled":   "nothing happens before a call",
		"onProgress": "nobody watches", "onLeg": "nobody watches", "onPause": "nobody watches", "onNote": "records come with the outcome",
		"minds":   "a callback has no context",
		"session": "callbacks are the instance's", "other": "there is one call", "together": "there is one callback at a time",
		"base64": "answers are text",
	} {
		if s.Uses(what) {
			return why
		}
	}
	return ""
}

var cause = regexp.MustCompile(`,"cause":"[^"]*"|,"inDoubt":true`)

// sees is what is left of an expected line: contexts do not end, errors stay with
// the host, and so does what a snapshot says, and how a task stands comes with the
// next callback.
func sees(line string) string {
	name, _, _ := strings.Cut(line, " ")
	if name == "aborted" || name == "withdrawn" || name == "task" {
		return ""
	}
	return cause.ReplaceAllString(line, "")
}

// stage plays one script.
type stage struct {
	client blocking.Client
	script drivertest.Call
	now    int
	lines  []string

	waits    string // what a callback is called for: a leg, while receive waits, or a key
	leg      int    // in flight, 0 if none
	exchange int    // of it
	open     bool
	snapshot string
}

func (s *stage) Do(in drivertest.Input) error {
	s.now++
	switch in.Verb {
	case "call":
		if err := json.Unmarshal([]byte(in.Rest), &s.script); err != nil {
			return err
		}
		s.begin(s.client.Begin, map[string]any{"method": s.script.Method, "params": string(s.script.Params), "options": s.options()})
		return nil
	case "resume":
		var r drivertest.Resume
		if err := json.Unmarshal([]byte(in.Rest), &r); err != nil {
			return err
		}
		if r.Callbacks != nil {
			s.script.Callbacks = r.Callbacks
		}
		if r.Snapshot != "" {
			s.snapshot = r.Snapshot
		}
		if s.snapshot == "" {
			return errors.New("there is no snapshot")
		}
		s.begin(s.client.Resume, s.resumed(r))
		return nil
	case "until":
		return nil // it does not wait for time
	}
	if !s.open {
		return nil // what comes late has nobody to come to
	}
	if in.Verb == "cancel" {
		s.answer(map[string]any{"type": "cancel"})
		return nil
	}
	if in.Verb == "park" {
		s.answer(map[string]any{"type": "park"})
		return nil
	}
	if s.waits != in.Target {
		return fmt.Errorf("no callback waits for %s", in.Target)
	}
	lost := map[string]any{"type": "ended", "exchange": s.exchange, "reason": "the transport failed"}
	switch in.Verb {
	case "response":
		s.answer(map[string]any{"type": "message", "exchange": s.exchange, "body": in.Rest, "last": true})
	case "progress":
		s.answer(map[string]any{"type": "message", "exchange": s.exchange, "body": `{"jsonrpc":"2.0","method":"notifications/progress","params":` + in.Rest + `}`})
	case "lost":
		s.answer(lost)
	case "unsent":
		s.answer(map[string]any{"type": "ended", "exchange": s.exchange, "reason": in.Rest, "unsent": true})
	case "answer":
		s.answer(map[string]any{"type": "answer", "raw": in.Rest, "fill": s.script.Has("fill")})
	case "parks":
		s.answer(map[string]any{"type": "park"})
	case "refuse":
		s.answer(map[string]any{"type": "refuse", "reason": "the asker failed"})
	case "panic":
		if s.leg != 0 {
			s.answer(lost)
		} else {
			s.answer(map[string]any{"type": "refuse", "reason": "the asker failed"})
		}
	default:
		return errors.New("nothing of this name can happen")
	}
	return nil
}

func (s *stage) begin(begin func([]byte), request map[string]any) {
	request["now"] = s.now
	text, _ := json.Marshal(request)
	s.open, s.leg = true, 0
	s.client = blocking.Client{}
	s.client.Open([]byte(`{"transport":"requests"}`))
	s.client.Forget()
	begin(text)
	s.next()
}

func (s *stage) answer(event map[string]any) {
	if kind := event["type"]; s.waits == fmt.Sprint(s.leg) && (kind == "message" && event["last"] == true || kind == "ended") {
		s.leg = 0
	}
	event["now"] = s.now
	text, _ := json.Marshal(event)
	s.client.Answer(text)
	s.next()
}

// next notes what is called until a callback waits or the call is over.
func (s *stage) next() {
	for {
		callback, text := s.client.Next()
		if callback == blocking.None {
			s.end(s.client.Outcome())
			return
		}
		answer := s.note(callback, text)
		if answer == nil {
			return
		}
		answer["now"] = s.now
		event, _ := json.Marshal(answer)
		s.client.Answer(event)
	}
}

// note notes what a callback is called with, and returns what it comes back with
// at once, nil if the script says that.
func (s *stage) note(callback blocking.Callback, text []byte) map[string]any {
	var c struct {
		Type, Method, Params       string
		Capabilities               string
		Leg, Exchange              int
		Until                      int
		Ask, Round                 int
		Key, Mode, Host, Problem   string
		Earlier                    string
		Loopback, Punycode, Repeat bool
	}
	if err := json.Unmarshal(text, &c); err != nil {
		s.lines = append(s.lines, "text that is no JSON: "+err.Error())
		return nil
	}
	switch {
	case callback == blocking.Post && c.Type == "abort":
		if c.Exchange == s.exchange {
			s.leg = 0
		}
		return map[string]any{"type": "tick"}
	case callback == blocking.Post:
		name := "tell"
		if c.Leg > 0 {
			name, s.leg, s.exchange = "send", c.Leg, c.Exchange
		}
		s.lines = append(s.lines, drivertest.Line(name, drivertest.Send{Leg: c.Leg, Method: c.Method, Params: []byte(c.Params), Capabilities: raw(c.Capabilities)}))
		if c.Leg == 0 { // nobody waits for it
			return map[string]any{"type": "ended", "exchange": c.Exchange}
		}
		return map[string]any{"type": "tick"}
	case callback == blocking.Receive && s.leg == 0: // nothing but time passes
		s.now = max(s.now, c.Until)
		return map[string]any{"type": "tick"}
	case callback == blocking.Receive:
		s.waits = fmt.Sprint(s.leg)
		return nil
	}
	name := map[blocking.Callback]string{blocking.Elicit: "elicit", blocking.Sample: "sample", blocking.ListRoots: "listRoots"}[callback]
	if c.Mode == "url" {
		name = "elicitUrl"
	}
	s.waits = c.Key
	s.lines = append(s.lines, drivertest.Line(name, drivertest.Ask{
		Ask: c.Ask, Key: c.Key, Mode: c.Mode, Params: raw(c.Params), Round: c.Round,
		Host: c.Host, Loopback: c.Loopback, Punycode: c.Punycode, Repeat: c.Repeat, Problem: c.Problem, Earlier: raw(c.Earlier),
	}))
	return nil
}

func raw(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

func (s *stage) end(outcome []byte) {
	var o struct {
		Type, Result, Snapshot, Detail string
		Code                           int
		NoStore, Resumable             bool
		Error                          json.RawMessage // of a failure a string that holds the server's
	}
	var misuse drivertest.Misuse
	var response string
	s.open, s.waits = false, ""
	err := json.Unmarshal(outcome, &o)
	json.Unmarshal(o.Error, &response)
	switch {
	case err != nil:
		s.lines = append(s.lines, "an outcome that is no JSON: "+err.Error())
	case o.Type == "" && json.Unmarshal(o.Error, &misuse) == nil:
		s.lines = append(s.lines, drivertest.Line("misuse", misuse))
	case o.Type == "done":
		s.lines = append(s.lines, drivertest.Done([]byte(o.Result), o.NoStore))
	case o.Type == "parked":
		s.lines = append(s.lines, "parked")
	default:
		s.lines = append(s.lines, drivertest.Line("failed", drivertest.Failed{Code: o.Code, Detail: o.Detail, Resumable: o.Resumable, Response: raw(response)}))
	}
	s.snapshot = o.Snapshot
}

func (s *stage) Calls() []string {
	lines := s.lines
	s.lines = nil
	return lines
}

func (s *stage) End() []string { return nil }

func (s *stage) Open() bool { return s.open }

// options are those of the call, with what its callbacks can answer.
func (s *stage) options() map[string]any {
	options := map[string]any{}
	json.Unmarshal(s.script.Options, &options)
	options["can"] = s.can()
	return options
}

// resumed is what a call goes on with.
func (s *stage) resumed(r drivertest.Resume) map[string]any {
	request := map[string]any{}
	json.Unmarshal(r.Expect, &request)
	request["snapshot"], request["can"] = s.snapshot, s.can()
	if r.Resend {
		request["resend"] = true
	}
	if r.Again {
		request["again"] = true
	}
	if r.MoreRounds > 0 {
		request["moreRounds"] = r.MoreRounds
	}
	return request
}

// can is what the callbacks can answer.
func (s *stage) can() map[string]bool {
	return map[string]bool{
		"form": s.script.Has("elicit"), "url": s.script.Has("elicitUrl"), "roots": s.script.Has("listRoots"),
		"sampling": s.script.Has("sample"), "samplingTools": s.script.Has("sampleTools"), "tasks": s.script.Has("tasks"),
	}
}
