package engine

import (
	"github.com/parley-mcp/parley/rawjson"
)

// earlier is what people filled in, for a call that is begun again: a server
// that has lost its state asks it all once more.
type earlier struct {
	text  []byte // JSON: for each form that was accepted [params, content], the oldest first; nil if there is none
	forms int
	again int // how many of them are from before the call was begun again
}

const maxEarlier = 256 << 10 // bytes of questions and answers

// remember keeps the forms that were accepted in the round at hand, which is
// about to be forgotten. What a server of an earlier era asked by requests of
// its own was replied to, and is not kept.
func (f *Flow) remember() {
	for i := range f.asks {
		a := &f.asks[i]
		if a.mode == ModeForm && a.request == nil && rawjson.Is(rawjson.Member(a.answer, "action"), string(accept)) {
			f.earlier.add(a.params, rawjson.Member(a.answer, "content"))
		}
	}
}

// add keeps a form, unless that would be too much.
func (e *earlier) add(params, content []byte) {
	if len(e.text)+len(params)+len(content) > maxEarlier {
		return
	}
	j := rawjson.Writer{Dst: e.text}
	if e.forms == 0 {
		j.Put("[")
	} else {
		j.Dst = e.text[:len(e.text)-1]
	}
	j.Begin("[")
	j.Raw(params)
	j.Put(",")
	j.Raw(content)
	j.Put("]]")
	e.text = j.Dst
	e.forms++
}

// content is what a form, word for word, was filled in with before the call
// was begun again; nil if it was not.
func (e *earlier) content(a *ask) (content []byte) {
	if a.mode != ModeForm || e.again == 0 {
		return nil
	}
	n := 0
	var list rawjson.Elements
	for list.StartChecked(e.text); n < e.again && list.Next(); n++ {
		var pair rawjson.Elements
		pair.StartChecked(list.Value)
		if pair.Next() && same(pair.Value, a.params) && pair.Next() {
			content = pair.Value
		}
	}
	return content
}
