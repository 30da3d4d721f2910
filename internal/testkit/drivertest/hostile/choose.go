package hostile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// chooser decides what happens next.
type chooser struct {
	random *random
	two    bool // calls on one session
	hangs  bool // saves tend not to come back
	worst  bool // whatever can go wrong tends to
}

func newChooser(r *random) *chooser {
	return &chooser{random: r, two: r.one(4), hangs: r.one(4), worst: r.one(3)}
}

// choice is something that can happen, as often as its weight says.
type choice struct {
	weight int
	input  func() string
}

// next is what happens next, "" if nothing can.
func (ch *chooser) next(w *walk) string {
	var all []choice
	// Of two calls that wait for time it is not told which goes on first.
	passes := w.calls[0].until() == "" || w.calls[1].until() == ""
	for i, c := range w.calls {
		if i == 1 && !ch.two {
			continue
		}
		if until := c.until(); until != "" && passes {
			all = append(all, choice{24, text("%s", until)})
		}
		if c.timesOut() && !w.calls[1-i].open {
			all = append(all, choice{1, text("until %sfailed", c.prefix)})
		}
		for _, one := range ch.choices(c) {
			one.input = prefixed(c.prefix, one.input)
			all = append(all, one)
		}
	}
	total := 0
	for _, one := range all {
		total += one.weight
	}
	if total == 0 {
		return ""
	}
	n := ch.random.below(total)
	for _, one := range all {
		if n -= one.weight; n < 0 {
			return one.input()
		}
	}
	return ""
}

func prefixed(prefix string, input func() string) func() string {
	return func() string { return prefix + input() }
}

func text(format string, args ...any) func() string {
	return func() string { return fmt.Sprintf(format, args...) }
}

func (ch *chooser) choices(c *call) (all []choice) {
	r, bad := ch.random, 1
	if ch.worst {
		bad = 4
	}
	add := func(weight int, input func() string) { all = append(all, choice{weight, input}) }
	if !c.begun {
		add(20, ch.call)
		return all
	}
	for _, id := range slices.Sorted(maps.Keys(c.legs)) {
		l := c.legs[id]
		if !l.waiting {
			continue
		}
		answer := func() string { return fmt.Sprintf("response %d %s", l.id, r.response(c, l)) }
		if l.over { // late, and of no interest to anybody
			add(1, answer)
			add(1, text("lost %d cut off", l.id))
			add(1, text("unsent %d not sent", l.id))
			add(1, text(`progress %d {"progressToken":1,"progress":3}`, l.id))
			continue
		}
		add(24, answer)
		add(2*bad, text("lost %d cut off", l.id))
		add(2*bad, text("unsent %d not sent", l.id))
		add(bad, text("panic %d boom", l.id))
		add(1, func() string {
			return fmt.Sprintf("progress %d %s", l.id, r.pick(`{"progressToken":1,"progress":1}`, "nonsense"))
		})
		if !l.minds {
			add(1, text("minds %d aborted", l.id))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.questions)) {
		q := c.questions[key]
		if !q.waiting {
			continue
		}
		answer := func() string { return fmt.Sprintf("answer %s %s", key, r.answer(key)) }
		if q.over {
			add(1, answer)
			add(1, text("refuse %s not here", key))
			continue
		}
		add(16, answer)
		add(bad, text("refuse %s not here", key))
		add(bad, text("parks %s", key))
		add(bad, text("panic %s boom", key))
		if !q.minds {
			add(1, text("minds %s closed", key))
		}
	}
	if c.savers {
		weight := 24
		if ch.hangs {
			weight = 2
		}
		add(weight, text("saved"))
		add(bad, text("unsaved disk full"))
		add(bad, text("panic save boom"))
	}
	if c.open {
		add(bad, text("cancel killed"))
		if c.has("park") && !c.signaled {
			add(bad, text("park"))
		}
		return all
	}
	if !c.canceled {
		add(1, text("cancel too late"))
	}
	if c.has("park") && !c.signaled {
		add(1, text("park"))
	}
	if c.outcome != nil {
		plain, resend := 8, 1
		if c.unanswered > 0 {
			plain, resend = 3, 8
		}
		add(plain, text("resume {}"))
		add(resend, text(`resume {"resend":true}`))
		add(2, text(`resume {"again":true}`))
		add(2, text(`resume {"again":true,"resend":true}`))
		add(1, text(`resume {"moreRounds":3}`))
	}
	if c.offered != nil {
		add(5, text(`resume {"from":"save"}`))
		add(2, text(`resume {"from":"save","resend":true}`))
		add(1, text(`resume {"from":"save","again":true}`))
		add(1, text(`resume {"from":"save","again":true,"resend":true}`))
	}
	return all
}

// call is a call, with callbacks of every kind.
func (ch *chooser) call() string {
	r := ch.random
	method, name := "tools/call", "t"
	if r.one(5) {
		method, name = "prompts/get", "p"
	}
	var options []string
	callbacks := []string{}
	with := func(one bool, names ...string) {
		if one {
			callbacks = append(callbacks, names...)
		}
	}
	with(!r.one(10), "elicit")
	with(r.one(2), "elicitUrl")
	with(r.one(3), "listRoots")
	with(r.one(4), "fill")
	with(!r.one(3), "save")
	with(r.one(2), "park")
	with(method == "tools/call" && r.one(6), "tasks")
	for _, watch := range []string{"onNote", "onLeg", "onPause", "onProgress", "onTask"} {
		with(r.one(6), watch)
	}
	with(r.one(30), "watchersPanic")
	if n := r.below(4); n < 2 {
		options = append(options, fmt.Sprintf(`"askConcurrency":%d`, []int{2, -1}[n]))
	}
	if slices.Contains(callbacks, "onNote") {
		options = append(options, `"audit":true`)
	}
	names, _ := json.Marshal(callbacks)
	canceled := ""
	if r.one(40) {
		canceled = `,"canceled":"gave up before"`
	}
	return fmt.Sprintf(`call {"method":%q,"params":{"name":%q},"options":{%s},"callbacks":%s%s}`, method, name, strings.Join(options, ","), names, canceled)
}
