package soak_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// handle does what a leg asks for, as an honest server does, and returns the
// result. Whatever is wrong with the leg is noted.
func (l *ledger) handle(p *post) (result []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := p.call
	if l.isTooLate(p) {
		return nil
	}
	if p.handled {
		l.violated(c, "the same request came twice")
	}
	p.handled = true
	l.counts["legs handled"]++
	c.note(l, "server: handles %s", p.id)
	if given := c.given(); string(p.params.Arguments) != string(given.Arguments) || p.params.URI != given.URI || p.params.Name != given.Name {
		l.violated(c, "its params have changed: %s", p.body)
	}
	stage, chain := 0, ""
	if p.params.RequestState != nil {
		st := l.states[string(p.params.RequestState)]
		switch {
		case st == nil:
			l.violated(c, "a requestState that nobody gave: %s", p.params.RequestState)
			return nil
		case st.call != c:
			l.violated(c, "the requestState of call %d", st.call.n)
			return nil
		}
		stage, chain = st.stage+1, st.chain+l.take(p, st)
	} else if p.params.InputResponses != nil {
		l.violated(c, "answers without the requestState they belong to")
	}
	if stage < len(c.plan) {
		return l.round(c, stage, chain)
	}
	return c.execute(l, chain)
}

// execute does what the call is for, and returns the result.
func (c *call) execute(l *ledger, chain string) (result []byte) {
	l.last++
	result = fmt.Appendf(nil, `{"resultType":"complete","content":[{"type":"text","text":%s}],"exact":[1.0,"\/"],"execution":%d}`,
		strconv.Quote(fmt.Sprintf("call %d said%s", c.n, chain)), l.last)
	c.execs = append(c.execs, string(result))
	l.counts["executed"]++
	c.note(l, "server: executed")
	return result
}

// given are the caller's own params.
func (c *call) given() (p params) {
	json.Unmarshal(c.arguments(), &p)
	return p
}

// take compares the answers of a leg with what the callbacks gave.
func (l *ledger) take(p *post, st *state) (chain string) {
	answers := members(p.params.InputResponses)
	if len(answers) != len(st.asks) {
		l.violated(p.call, "%d answers to %d questions", len(answers), len(st.asks))
		return ""
	}
	for i, q := range st.asks {
		q.arrived = true
		switch a := answers[i]; {
		case a.name != q.key:
			l.violated(p.call, "an answer to %s where %s was asked", a.name, q.key)
		case q.answer == "":
			l.violated(p.call, "an answer to question %d, which nobody gave: %s", q.n, a.value)
		case a.value != q.answer:
			l.violated(p.call, "question %d was answered %s, and %s arrives", q.n, q.answer, a.value)
		}
		chain += " " + strconv.Itoa(q.n)
	}
	return chain
}

// member is a member of an object, its value as it stands.
type member struct{ name, value string }

func members(object []byte) (all []member) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.Token()
	for decoder.More() {
		name, err := decoder.Token()
		var value json.RawMessage
		if err != nil || decoder.Decode(&value) != nil {
			return nil
		}
		all = append(all, member{name.(string), string(value)})
	}
	return all
}

// round asks the questions of a stage.
func (l *ledger) round(c *call, stage int, chain string) (result []byte) {
	l.last++
	st := &state{call: c, stage: stage, chain: chain}
	// Text that is not kept as it stands would come back spelled otherwise.
	st.token = fmt.Sprintf(`"state %d of call %d \/ \u00e9 \ud800"`, l.last, c.n)
	result = []byte(`{"resultType":"input_required",`)
	if c.plan[stage] > 0 {
		result = append(result, `"inputRequests":{`...)
		for i := range c.plan[stage] {
			q := l.question(c)
			st.asks = append(st.asks, q)
			if i > 0 {
				result = append(result, ',')
			}
			result = fmt.Appendf(result, `"q%d\u002f":{"method":"%s","params":%s}`, q.n, q.method, q.params)
		}
		result = append(result, "},"...)
	}
	l.states[st.token] = st
	c.states = append(c.states, st)
	c.note(l, "server: asks %d questions", len(st.asks))
	return fmt.Appendf(result, `"requestState":%s}`, st.token)
}

func (l *ledger) question(c *call) *question {
	l.last++
	q := &question{n: l.last, call: c, key: fmt.Sprintf("q%d/", l.last), method: "elicitation/create"}
	switch l.random(2, c.n, len(c.questions)).IntN(6) {
	case 0:
		q.method = "sampling/createMessage"
		q.params = fmt.Sprintf(`{"messages":[{"role":"user","content":{"type":"text","text":"question %d"}}],"maxTokens":9}`, q.n)
	case 1:
		q.method = "roots/list"
		q.params = fmt.Sprintf(`{"_meta":{"question":%d}}`, q.n)
	case 2:
		q.params = fmt.Sprintf(`{"mode":"url","message":"question %d","url":"https://example.com/%d","elicitationId":"e%d"}`, q.n, q.n, q.n)
	default:
		q.params = fmt.Sprintf(`{"message":"question %d \ud83d\ude00","requestedSchema":{"type":"object","properties":{`+
			`"said":{"type":"string"},"much":{"type":"number"}},"required":["said"]}}`, q.n)
	}
	l.questions[q.n] = q
	c.questions = append(c.questions, q)
	return q
}
