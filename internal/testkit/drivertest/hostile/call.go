package hostile

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/internal/testkit/drivertest"
)

// call is what is known of a call from outside.
type call struct {
	prefix    string
	method    string
	callbacks []string

	begun, open bool
	canceled    bool // the caller gave up
	signaled    bool // to park
	legs        map[int]*leg
	questions   map[string]*question
	saving      bool // a save has not come back
	savers      bool // the callback of one has not, though the call may be over

	unkept bool  // something happened that no save has kept
	later  bool  // something happened while a save was open, and the next one is to keep it
	queue  []int // questions answered meanwhile

	unanswered int  // tools/call that may have been carried out and were not answered
	unsure     bool // the snapshot may say so, too
	resend     bool // the next one may be the same again
	answered   map[int]bool

	offered *snapshot // the one saved last
	kept    bool      // its save came back in this step
	outcome *snapshot // the one at the end
}

// leg is a request whose callback has been called.
type leg struct {
	id      int
	method  string
	waiting bool // the callback has not returned
	minds   bool // and will as soon as its context ends
	over    bool // its answer goes nowhere
}

type question struct {
	key     string
	id      int
	waiting bool
	minds   bool
	over    bool
}

// snapshot is what a snapshot must know.
type snapshot struct {
	unanswered int
	unsure     bool
	answered   map[int]bool
	leg        *leg // that followed it
	asks       bool // questions did, or are open
}

func (c *call) has(name string) bool { return slices.Contains(c.callbacks, name) }

func (c *call) saves() bool { return c.has("save") }

func (c *call) isTool() bool { return c.method == "tools/call" }

func (c *call) shot() *snapshot {
	return &snapshot{unanswered: c.unanswered, unsure: c.unsure, answered: maps.Clone(c.answered), asks: len(c.asked()) > 0}
}

// flying are the requests whose answers somebody waits for, in order.
func (c *call) flying() (all []*leg) {
	for _, id := range slices.Sorted(maps.Keys(c.legs)) {
		if l := c.legs[id]; l.waiting && !l.over {
			all = append(all, l)
		}
	}
	return all
}

// asked are the questions that are open, in order.
func (c *call) asked() (all []*question) {
	for _, key := range slices.Sorted(maps.Keys(c.questions)) {
		if q := c.questions[key]; q.waiting && !q.over {
			all = append(all, q)
		}
	}
	return all
}

// until is the line for time that passes until the call goes on by itself, "" if
// it waits for something else.
func (c *call) until() string {
	switch {
	case !c.open || c.saving || len(c.flying()) > 0 || len(c.asked()) > 0:
		return ""
	case c.saves():
		return "until " + c.prefix + "save"
	}
	return "until " + c.prefix + "send"
}

// timesOut reports whether a request in flight ends the call when time passes.
func (c *call) timesOut() bool {
	flying := c.flying()
	return c.open && len(flying) > 0 && flying[0].method == "tools/call"
}

// begin starts a life of the call.
func (c *call) begin() {
	c.begun, c.open, c.canceled, c.signaled, c.saving, c.savers = true, true, false, false, false, false
	c.legs, c.questions = map[int]*leg{}, map[string]*question{}
	c.unkept, c.later, c.queue, c.resend = true, false, nil, false
}

// happens takes note of what happens before the driver is told. It returns what
// the driver must have done of it by the time it stands still, "" if nothing that
// is certain.
func (c *call) happens(in drivertest.Input) (must string) {
	calm := c.open && !c.saving
	switch in.Verb {
	case "call":
		var script drivertest.Call
		json.Unmarshal([]byte(in.Rest), &script)
		*c = call{prefix: c.prefix, method: script.Method, callbacks: script.Callbacks, answered: map[int]bool{}}
		c.begin()
		if script.Canceled != "" {
			return mustEnd
		}
	case "resume":
		return c.goesOn(in.Rest)
	case "response", "lost", "unsent":
		c.comes(in)
	case "answer":
		q := c.questions[in.Target]
		q.waiting = false
		if !q.over && c.open && usable(q.key, in.Rest) {
			return c.isAnswered(q)
		}
	case "refuse", "parks":
		q := c.questions[in.Target]
		q.waiting = false
		if calm && !q.over {
			return mustEnd
		}
	case "panic":
		if l := c.legs[number(in.Target)]; l != nil {
			l.waiting = false
			break
		}
		if q := c.questions[in.Target]; q != nil {
			q.waiting = false
			if calm && !q.over {
				return mustEnd
			}
			break
		}
		return c.notSaved()
	case "minds":
		if l := c.legs[number(in.Target)]; l != nil {
			l.minds = true
		} else {
			c.questions[in.Target].minds = true
		}
	case "saved":
		c.savers = false
		if c.saving {
			c.saving, c.kept, c.unkept = false, true, false
			if len(c.queue) > 0 {
				return mustSave
			}
		}
	case "unsaved":
		return c.notSaved()
	case "until":
		if strings.HasSuffix(in.Rest, "failed") {
			return mustEnd
		}
	case "cancel":
		c.canceled = true
		if c.open {
			return mustEnd
		}
	case "park":
		c.signaled = true
		if calm && !slices.ContainsFunc(c.flying(), func(l *leg) bool { return l.method != "tasks/get" }) {
			return mustEnd
		}
	}
	return ""
}

// What must follow.
const (
	mustEnd   = "end"
	mustDoubt = "end in doubt"
	mustSave  = "save"
)

func (c *call) notSaved() string {
	c.savers = false
	if !c.saving {
		return ""
	}
	c.saving = false
	return mustEnd
}

// isAnswered takes note of an answer that can be sent. One that comes while a save
// is open is kept by the one after it.
func (c *call) isAnswered(q *question) (must string) {
	if c.saving {
		c.queue, c.later = append(c.queue, q.id), true
		return ""
	}
	c.answered[q.id], c.unkept = true, true
	if c.saves() {
		return mustSave
	}
	return ""
}

// comes takes note of how a request ended.
func (c *call) comes(in drivertest.Input) {
	l := c.legs[number(in.Target)]
	l.waiting = false
	if l.over || !c.open {
		return
	}
	if c.saving {
		c.later = true
	} else {
		c.unkept = true
	}
	tool := l.method == "tools/call"
	switch {
	case in.Verb == "unsent" && tool:
		c.unanswered--
	case in.Verb == "response" && tool && json.Valid([]byte(in.Rest)):
		c.unanswered, c.unsure = 0, false
	}
}

// goesOn takes note of a resume.
func (c *call) goesOn(rest string) (must string) {
	var r drivertest.Resume
	json.Unmarshal([]byte(rest), &r)
	from := c.outcome
	if r.From == "save" {
		from = c.offered
		switch {
		case from.leg != nil && from.leg.method == "tools/call":
			from.unanswered = max(1, from.unanswered)
		case from.leg == nil && !from.asks:
			from.unsure = c.isTool()
		}
	}
	c.begin()
	c.unanswered, c.unsure, c.answered = from.unanswered, from.unsure, maps.Clone(from.answered)
	c.resend = r.Resend
	switch {
	case r.Again && r.Resend:
		c.unanswered, c.unsure = 0, false
	case c.unanswered > 0 && !r.Resend:
		return mustDoubt
	}
	return ""
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
