package engine

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
)

// watchSend tells what goes out.
func (f *Flow) watchSend(method string, params []byte) {
	if f.watched {
		f.do(Leg{Leg: f.leg, Method: method, Size: len(params)})
	}
}

// watchAnswer tells what came back, before what follows from it: at is its
// place in out.
func (f *Flow) watchAnswer(at int, m *message.Message) {
	if !f.watched {
		return
	}
	l := Leg{Leg: f.leg, Size: m.Size(), Answer: "error"}
	if m.Has(message.Result) {
		l.Answer, l.State = "complete", m.Len(message.RequestState)
		if m.Has(message.ResultType) {
			l.Answer = "unknown"
			for _, known := range [...]string{"complete", "input_required", "incomplete", "task"} {
				if rawjson.Is(m.Text(message.ResultType), known) {
					l.Answer = known
				}
			}
		}
		var asks rawjson.Members
		for asks.StartChecked(m.Text(message.InputRequests)); asks.Next(); {
			l.Asks++
		}
	}
	f.tellAt(at, l)
}

// watchLost tells that nothing will come back.
func (f *Flow) watchLost(at int) {
	if f.watched {
		f.tellAt(at, Leg{Leg: f.leg, Answer: "lost"})
	}
}

// tellAt puts a notice before what followed from what it is about.
func (f *Flow) tellAt(at int, a Action) {
	f.out = append(f.out, nil)
	copy(f.out[at+1:], f.out[at:])
	f.out[at] = a
}

// pausing is until when the next leg is waited for, 0 if it is not.
func (f *Flow) pausing() int64 {
	if f.phase != pacing || !f.isLive() {
		return 0
	}
	return f.wakeAt
}

// watchPause tells that the next leg is waited for, if that is news.
func (f *Flow) watchPause(before int64) {
	until := f.pausing()
	if !f.watched || until == 0 || until == before {
		return
	}
	p := Pause{Until: until}
	if f.task == nil && f.resends == 0 && len(f.asks) == 0 {
		p.Waits = f.waits
	}
	f.do(p)
}
