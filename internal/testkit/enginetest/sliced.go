package enginetest

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/wire"
)

// Sliced feeds what the server says to a host in slices, and puts what the engine
// names of it back into its answers: a script replays as if it were whole.
type Sliced struct {
	Host interface {
		Host
		SessionHost
	}

	// Cut says where a text of so many bytes is cut, in order.
	Cut func(size int) []int
}

// New implements [Host].
func (s Sliced) New(request []byte) (Flow, []byte) { return s.flow(s.Host.New(request)) }

// Restore implements [Host].
func (s Sliced) Restore(request []byte) (Flow, []byte) { return s.flow(s.Host.Restore(request)) }

func (s Sliced) flow(flow Flow, bad []byte) (Flow, []byte) {
	if bad != nil {
		return nil, bad
	}
	return &slicedFlow{Flow: flow, cut: s.Cut}, nil
}

// NewSession implements [SessionHost].
func (s Sliced) NewSession(request []byte) (Session, []byte) {
	of, bad := s.Host.NewSession(request)
	if bad != nil {
		return nil, bad
	}
	return &slicedSession{Session: of, cut: s.Cut, cuts: map[int]bool{}}, nil
}

// long is a text of which not every place is cut: at the beginning and the end.
const long = 1200

// InTwo replays every script in dir with every text cut in two: at every place if
// PARLEY_EVERY_PLACE is set, which takes a minute, else at some; of texts that are
// long, near their ends.
func InTwo(t *testing.T, dir string) {
	step := 23
	if os.Getenv("PARLEY_EVERY_PLACE") != "" {
		step = 1
	}
	n, most := 0, 0
	host := Sliced{Host: Native{}, Cut: func(size int) []int {
		most = max(most, size)
		return []int{max(min(n, size), 0)}
	}}
	for _, path := range scripts(t, dir) {
		t.Run(name(path), func(t *testing.T) {
			s, err := ReadScript(path)
			if err != nil {
				t.Fatal(err)
			}
			play := func() {
				var p player = &sessionReplay{t: t, host: host}
				if strings.HasPrefix(s.Blocks[0].Call, "new") || strings.HasPrefix(s.Blocks[0].Call, "load") {
					p = &replay{t: t, host: host}
				}
				defer p.close()
				playScript(t, s, p, Plain)
			}
			for n, most = len(path)%step, 0; n <= most; n += step {
				if play(); n >= long/2 && n < most-long/2 {
					n = most - long/2 // go on near the end
				}
			}
		})
	}
}

type slicedFlow struct {
	Flow
	cut  func(int) []int
	last int64 // the time of the step before: a slice comes no later than what was fed then
	cuts bool  // the script has cut the response at hand itself
}

func (f *slicedFlow) Step(now int64, event []byte) []byte {
	ev, bad := wire.Text.DecodeEvent(bytes.Clone(event))
	response, ok := ev.(engine.Response)
	last, cuts := f.last, f.cuts
	f.last = max(f.last, now)
	_, f.cuts = ev.(engine.Part)
	if bad != nil || !ok || cuts {
		return f.Flow.Step(now, event)
	}
	rest := slices(response.Body, f.cut, func(slice []byte) {
		f.Flow.Step(last, wire.Text.AppendEvent(nil, engine.Part{Leg: response.Leg, Body: slice}))
	})
	answer := f.Flow.Step(now, wire.Text.AppendEvent(nil, engine.Response{Leg: response.Leg, Body: rest}))
	actions, err := wire.Text.DecodeActions(bytes.Clone(answer))
	if err != nil {
		return answer
	}
	for i, a := range actions {
		if done, ok := a.(engine.Done); ok {
			actions[i] = done.In(response.Body)
		}
	}
	return wire.Text.AppendActions(nil, actions)
}

type slicedSession struct {
	Session
	cut  func(int) []int
	cuts map[int]bool // exchanges of which the script has cut the message at hand itself
}

func (s *slicedSession) Step(now int64, event []byte) []byte {
	ev, bad := wire.Text.DecodeSessionEvent(bytes.Clone(event))
	if part, ok := ev.(session.Part); ok {
		s.cuts[part.Exchange] = true
	}
	message, ok := ev.(session.Message)
	if bad != nil || !ok || s.cuts[message.Exchange] {
		if ok {
			delete(s.cuts, message.Exchange)
		}
		return s.Session.Step(now, event)
	}
	body := message.Body
	var early []session.Action // a Wait, after what was no Step
	message.Body = slices(body, s.cut, func(slice []byte) {
		answer := s.Session.Step(0, wire.Text.AppendSessionEvent(nil, session.Part{Exchange: message.Exchange, Body: slice}))
		actions, _ := wire.Text.DecodeSessionActions(answer)
		early = append(early, actions...)
	})
	answer := s.Session.Step(now, wire.Text.AppendSessionEvent(nil, message))
	actions, err := wire.Text.DecodeSessionActions(bytes.Clone(answer))
	if err != nil {
		return answer
	}
	for i, a := range actions {
		if from, ok := a.(session.From); ok {
			if done, ok := from.Action.(engine.Done); ok {
				actions[i] = session.From{Call: from.Call, Action: done.In(body)}
			}
		}
	}
	return wire.Text.AppendSessionActions(nil, append(actions, early...))
}

// slices feeds all slices of a text but the last, which it returns.
func slices(text []byte, cut func(int) []int, feed func([]byte)) []byte {
	from := 0
	for _, to := range cut(len(text)) {
		feed(bytes.Clone(text[from:to]))
		from = to
	}
	return text[from:]
}
