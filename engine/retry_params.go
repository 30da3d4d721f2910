package engine

import (
	"github.com/parley-mcp/parley/rawjson"
)

// retry splices the next leg's params: the caller's own members as they stand,
// this round's answers bare and under the server's keys in the server's order,
// and requestState exactly as it came or not at all.
//
// Source: MCP 2026-07-28, basic/patterns/mrtr, Client Requirements 1 and 2,
// InputResponses.
func (f *Flow) retry() []byte {
	size := len(f.params) + len(f.state) + len(`"inputResponses":{},"requestState":,`)
	for i := range f.asks {
		size += len(f.asks[i].name) + len(f.asks[i].answer) + 2
	}
	j := rawjson.NewWriter('{', size)
	var m rawjson.Members
	for m.StartChecked(f.params); m.Next(); {
		// What the caller seeded belonged to the first leg only.
		if m.Is("inputResponses") || m.Is("requestState") {
			continue
		}
		j.Member(m.Name, m.Value)
	}
	f.putAnswers(&j)
	if f.state != nil {
		j.Begin(`"requestState":`)
		j.Raw(f.state)
	}
	j.Put("}")
	return j.Dst
}

// putAnswers adds this round's answers, if it had questions.
func (f *Flow) putAnswers(j *rawjson.Writer) {
	if len(f.asks) == 0 {
		return
	}
	j.Begin(`"inputResponses":{`)
	for i := range f.asks {
		j.Member(f.asks[i].name, f.asks[i].answer)
	}
	j.Put("}")
}
