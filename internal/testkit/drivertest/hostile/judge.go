package hostile

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/internal/testkit/drivertest"
)

// judge takes note of what the driver called in one step, in its order, and says
// what is wrong with it, "" if nothing. What leaves comes first: a save that was
// called in the same step is for what follows it.
func (c *call) judge(lines []string, must string) string {
	var end string
	var last *leg
	asks := false
	for _, text := range lines {
		name, rest, _ := strings.Cut(text, " ")
		switch name {
		case "send":
			var s drivertest.Send
			if json.Unmarshal([]byte(rest), &s) != nil {
				return "lines: this is no line: " + text
			}
			if fault := c.leaves(s); fault != "" {
				return fault
			}
			last = c.legs[s.Leg]
		case "elicit", "elicitUrl", "listRoots", "sample":
			var a drivertest.Ask
			if json.Unmarshal([]byte(rest), &a) != nil {
				return "lines: this is no line: " + text
			}
			if fault := c.asks(a); fault != "" {
				return fault
			}
			asks = true
		}
	}
	if c.kept {
		c.offered.leg, c.offered.asks, c.kept = last, c.offered.asks || asks, false
	}
	for _, text := range lines {
		name, rest, _ := strings.Cut(text, " ")
		switch name {
		case "save":
			if fault := c.offers(end); fault != "" {
				return fault
			}
		case "aborted":
			l := c.legs[number(rest)]
			if l == nil || l.over {
				return "ends: a request is given up that is not in flight"
			}
			l.over = true
		case "withdrawn":
			q := c.questions[rest]
			if q == nil || q.over {
				return "ends: a question is withdrawn that is not open"
			}
			q.over = true
		case "note", "leg", "pause", "task", "progress":
			if end != "" || !c.open {
				return "ends: what watches is called after the end"
			}
		case "tell":
			if !c.open {
				return "ends: a request leaves after the end"
			}
		case "done", "parked", "failed", "misuse":
			if end != "" || !c.open {
				return "ends: a call ends twice"
			}
			end = text
		}
	}
	if !c.saving {
		c.unkept, c.later = c.unkept || c.later, false
	}
	if end != "" {
		if fault := c.ends(end, must); fault != "" {
			return fault
		}
		return ""
	}
	switch {
	case must == mustEnd && c.open:
		return "ends: a call goes on that must end at once"
	case must == mustDoubt && c.open:
		return "doubt: a call goes on without a word that is in doubt"
	case must == mustSave && !c.saving:
		return "saved: an answer is not kept"
	}
	return ""
}

// leaves takes note of a request.
func (c *call) leaves(s drivertest.Send) string {
	switch {
	case !c.open:
		return "ends: a request leaves after the end"
	case c.saves() && c.saving:
		return "saved: a request leaves while a save is open"
	case c.saves() && (c.unkept || c.later):
		return "saved: a request leaves that was not kept"
	case c.legs[s.Leg] != nil:
		return "twice: a request has the number of another"
	case len(c.flying()) > 0:
		return "twice: a request leaves while another is in flight"
	}
	c.unkept = true
	c.legs[s.Leg] = &leg{id: s.Leg, method: s.Method, waiting: true}
	if s.Method != "tools/call" {
		return ""
	}
	if c.unanswered > 0 && !c.resend {
		return "twice: a tool is called again though it may have run, and nobody asked for that"
	}
	c.resend = false
	c.unanswered++
	return ""
}

// asks takes note of a question.
func (c *call) asks(a drivertest.Ask) string {
	again := a.Problem != ""
	open := c.questions[a.Key]
	switch {
	case !c.open:
		return "ends: a question is asked after the end"
	case c.saves() && c.saving:
		return "saved: a question is asked while a save is open"
	case c.saves() && c.unkept && !again:
		return "saved: a question is asked that was not kept"
	case c.signaled:
		return "ends: a question is asked after the signal to park"
	case c.answered[a.Ask] && !again:
		return "twice: a question is asked again that was answered"
	case open != nil && open.waiting && !open.over:
		return "twice: a question is asked while it is open"
	}
	c.questions[a.Key] = &question{key: a.Key, id: a.Ask, waiting: true}
	return ""
}

// offers takes note of a save.
func (c *call) offers(end string) string {
	switch {
	case !c.open || end != "":
		return "ends: something is saved after the end"
	case c.saving:
		return "saved: two saves are open at a time"
	}
	for _, id := range c.queue { // the snapshot has all of them
		c.answered[id] = true
	}
	c.queue = nil
	c.saving, c.savers, c.unkept, c.later = true, true, false, false
	c.offered = c.shot()
	return ""
}

// ends takes note of the end.
func (c *call) ends(text, must string) string {
	name, rest, _ := strings.Cut(text, " ")
	var f drivertest.Failed
	c.open, c.saving, c.outcome = false, false, nil
	for _, id := range c.queue { // the last snapshot has them, too
		c.answered[id] = true
	}
	switch {
	case name == "failed":
		if json.Unmarshal([]byte(rest), &f) != nil {
			return "lines: this is no line: " + text
		}
		if f.Resumable {
			c.outcome = c.shot()
		}
	case text == "parked":
		c.outcome = c.shot()
	case name == "parked":
		return "ends: " + text
	case name == "misuse":
		return "lines: " + text
	}
	for _, l := range c.flying() {
		if !l.minds {
			return "ends: a request in flight is not given up at the end"
		}
		l.over, l.waiting = true, false
	}
	for _, q := range c.asked() {
		if !q.minds {
			return "ends: a question stays open at the end"
		}
		q.over, q.waiting = true, false
	}
	for _, l := range c.legs {
		l.waiting = l.waiting && !l.minds
	}
	for _, q := range c.questions {
		q.waiting = q.waiting && !q.minds
	}
	doubt := c.isTool() && c.unanswered > 0
	switch {
	case f.InDoubt && !doubt && !c.unsure:
		return fmt.Sprintf("doubt: a call that failed (%d) is in doubt though no tool can have run without an answer", f.Code)
	case name == "failed" && doubt && !f.InDoubt:
		return fmt.Sprintf("doubt: a call that failed (%d) is not in doubt though a tool may have run", f.Code)
	case name == "parked" && doubt:
		return "doubt: a call is parked though a tool may have run"
	case must == mustDoubt && f.Code != 16:
		return fmt.Sprintf("doubt: a call that is in doubt ended otherwise (%s %d) when it was gone on with", name, f.Code)
	}
	if f.InDoubt && c.unsure {
		c.unanswered = max(1, c.unanswered)
	}
	c.unsure = false
	c.outcome.sure(c.unanswered)
	return ""
}

// sure takes note that the snapshot says what was not certain before.
func (s *snapshot) sure(unanswered int) {
	if s != nil {
		s.unanswered, s.unsure = unanswered, false
	}
}
