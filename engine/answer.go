package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/engine/internal/roots"
	"github.com/parley-mcp/parley/engine/internal/sampling"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// answer takes the host's result for a question. What cannot be sent is asked
// for again, with the problem. An answer to a question that is closed does
// nothing: the person may have been slower than the flow.
func (f *Flow) answer(ev Answer) *Error {
	a, err := f.openAsk(ev.Ask)
	if a == nil {
		return err
	}
	if len(ev.Raw) > f.opts.Limits.Response {
		f.askAgain(ev.Ask, tooLong("the answer", len(ev.Raw), f.opts.Limits.Response, "response"))
		return nil
	}
	if bad := rawjson.Strict(ev.Raw); bad != nil {
		f.askAgain(ev.Ask, sentence.Say("the answer is not strict JSON: {0}", bad.Sentence()))
		return nil
	}
	raw := rawjson.Trim(ev.Raw)
	if !rawjson.IsObject(raw) {
		f.askAgain(ev.Ask, "the answer is not a JSON object")
		return nil
	}
	var did action
	var flaw sentence.Text
	switch a.kind {
	case KindElicit:
		raw, did, flaw = a.elicitResult(raw, ev.Fill)
	case KindSample:
		flaw = sampling.CheckResult(raw)
	case KindListRoots:
		flaw = roots.CheckResult(raw)
	}
	if flaw != "" {
		f.askAgain(ev.Ask, flaw)
		return nil
	}
	a.answer = append(make([]byte, 0, len(raw)), raw...)
	if a.request != nil {
		f.do(Relay{relay.Reply{Request: a.request, Result: a.answer}})
		a.answer = replied
	}
	if a.mode == ModeURL && did == accept && !a.repeat {
		f.accepted = append(f.accepted, a.url)
	}
	f.mustSave() // before the note, which would tell of what is lost if it cannot be kept
	f.noteAsk(audit.Answered, ev.Ask, string(did))
	f.showAsks()
	return nil
}

// action is what a person did with an elicitation, spelled as the schema
// spells it.
type action string

const (
	accept  action = "accept"
	decline action = "decline"
	dismiss action = "cancel"
)

// elicitResult checks an ElicitResult and returns it as it is sent: content
// goes along only with an accepted form (client/elicitation, Response
// Actions), with the schema's defaults put in if fill says so.
func (a *ask) elicitResult(raw []byte, fill bool) (sent []byte, did action, flaw sentence.Text) {
	var content []byte
	has := false
	var m rawjson.Members
	for m.StartChecked(raw); m.Next(); {
		switch {
		case m.Is("action"):
			for _, known := range [...]action{accept, decline, dismiss} {
				if rawjson.Is(m.Value, string(known)) {
					did = known
				}
			}
		case m.Is("content"):
			content, has = m.Value, true
		}
	}
	switch {
	case did == "":
		return nil, did, "action is none of accept, decline and cancel"
	case did != accept || a.mode != ModeForm:
		if has {
			raw = withContent(raw, nil)
		}
		return raw, did, ""
	}
	if content == nil && fill {
		content = []byte("{}")
	}
	if !rawjson.IsObject(content) {
		return nil, did, "content is not an object"
	}
	if a.drawn {
		return raw, did, ""
	}
	schema, _ := form.Parse(a.schema) // it was checked before anybody was asked
	if fill {
		if filled := schema.Fill(content); len(filled) != len(content) || !has {
			content = filled
			raw = withContent(raw, content)
		}
	}
	for _, problem := range schema.Check(content) {
		if flaw == "" {
			flaw = sentence.Say("content: {0}", problem.Sentence())
		} else {
			flaw = sentence.Say("{0}; {1}", flaw, problem.Sentence())
		}
	}
	return raw, did, flaw
}

// withContent is an ElicitResult with other content, or none.
func withContent(raw, content []byte) []byte {
	j := rawjson.NewWriter('{', len(raw)+len(content)+len(`,"content":`))
	var m rawjson.Members
	for m.StartChecked(raw); m.Next(); {
		if !m.Is("content") {
			j.Member(m.Name, m.Value)
		}
	}
	if content != nil {
		j.Begin(`"content":`)
		j.Raw(content)
	}
	j.Put("}")
	return j.Dst
}
