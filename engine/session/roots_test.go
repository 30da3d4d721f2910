package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// FuzzRoots: whatever happens while legs wait for the server to ask for roots,
// each goes out once nothing is asked any more and the time is over, and a call
// is not in doubt if no leg of it went out.
func FuzzRoots(f *testing.F) {
	f.Add(true, []byte{0, 1, 8, 13, 2, 20})
	f.Add(true, []byte{0, 1, 8, 13, 3, 8, 14, 20, 20})
	f.Add(true, []byte{0, 1, 8, 9, 13, 16, 0, 8, 13, 21, 0, 8})
	f.Add(true, []byte{0x60, 8, 11, 2, 10, 11, 2})
	f.Add(false, []byte{0, 1, 8, 18, 13, 2, 20, 17, 3, 13, 19})
	f.Fuzz(func(t *testing.T, stdio bool, script []byte) {
		opts := session.Options{Transport: session.HTTP, Can: &engine.Can{Roots: true, Form: true}, Known: "2025-11-25"}
		if stdio {
			opts.Transport = session.Stdio
		}
		s, err := session.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		w := rootsWatch{t: t, s: s, stdio: stdio, asks: map[openAsk]bool{}, went: map[int]bool{}, ever: map[int]bool{}, live: map[int]bool{}}
		for range 3 {
			if _, err := s.Call("tools/call", []byte(`{"name":"greet"}`), engine.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range script[:min(len(script), 200)] {
			w.play(b)
		}
		for range 300 { // what is refused may have been one of several
			w.save()
			w.start()
			w.answer(0, nil)
		}
		w.now += 1000
		w.step(session.Tick{})
		for call := range w.live {
			if !w.went[call] {
				t.Fatalf("the leg of call %d never goes out", call)
			}
		}
	})
}

type openAsk struct{ call, ask int }

// rootsWatch is a host and a server.
type rootsWatch struct {
	t     *testing.T
	s     *session.Session
	stdio bool
	now   int64
	begun []session.Post   // initialize and notifications/initialized, until they are answered
	said  int              // exchange of the server's own stream, 0 over stdio
	asks  map[openAsk]bool // open
	went  map[int]bool     // calls whose leg has gone out since they began
	ever  map[int]bool     // calls of which any has
	live  map[int]bool     // calls that began and are not over
}

// play lets one thing happen.
func (w *rootsWatch) play(b byte) {
	call := 1 + int(b>>5)%3
	to := func(ev engine.Event) { w.step(session.To{Call: call, Event: ev}) }
	switch b & 31 {
	case 0, 1:
		to(engine.Begin{Save: b&64 != 0, Resend: true})
	case 2, 3:
		w.answer(call, []byte(`{"roots":[]}`))
	case 4:
		w.answer(call, nil)
	case 5:
		to(engine.Saved{})
	case 6:
		to(engine.Cancel{})
	case 7:
		to(engine.Park{})
	case 8, 9:
		w.start()
	case 10, 11, 12, 13:
		w.say(`{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`, b&3)
	case 14, 15:
		w.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, b>>5&3)
	case 16:
		if w.stdio {
			w.begun = nil
			w.step(session.Down{})
		}
	case 17:
		w.step(session.Ended{Exchange: w.said, Status: []int{0, 200, 405}[b>>5%3]})
	case 18:
		w.step(session.Opened{Exchange: w.said})
	case 19:
		w.say(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`)
	default:
		w.now += int64(b)
		w.step(session.Tick{})
	}
}

func (w *rootsWatch) say(format string, values ...any) {
	w.step(session.Message{Exchange: w.said, Body: fmt.Appendf(nil, format, values...)})
}

// start answers what begins a session.
func (w *rootsWatch) start() {
	for len(w.begun) > 0 {
		p := w.begun[0]
		w.begun = w.begun[1:]
		var id, exchange int
		if w.said = 0; p.Headers != nil {
			exchange = p.Exchange
		}
		if n, _ := fmt.Sscanf(string(p.Body), `{"jsonrpc":"2.0","id":%d`, &id); n == 1 {
			body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`, id)
			w.step(session.Message{Exchange: exchange, SessionID: "s", Body: body, Last: exchange != 0})
		} else if exchange != 0 {
			w.step(session.Ended{Exchange: exchange, Status: 202})
		}
	}
}

// save keeps the snapshots that are to be kept.
func (w *rootsWatch) save() {
	for call := 1; call <= 3; call++ {
		w.step(session.To{Call: call, Event: engine.Saved{}})
	}
}

// answer answers a question of a call, of any if it is 0, or refuses it.
func (w *rootsWatch) answer(call int, raw []byte) {
	for q := range w.asks {
		if call != 0 && q.call != call {
			continue
		}
		delete(w.asks, q)
		if raw != nil {
			w.step(session.To{Call: q.call, Event: engine.Answer{Ask: q.ask, Raw: raw}})
		} else {
			w.step(session.To{Call: q.call, Event: engine.Refuse{Ask: q.ask}})
		}
		return
	}
}

func (w *rootsWatch) step(ev session.Event) {
	actions, err := w.s.Step(w.now, ev)
	if err != nil {
		return
	}
	if to, ok := ev.(session.To); ok {
		if _, begins := to.Event.(engine.Begin); begins {
			w.live[to.Call], w.went[to.Call] = true, false
		}
	}
	for _, a := range actions {
		switch a := a.(type) {
		case session.Post:
			if body := string(a.Body); strings.Contains(body, `"method":"initialize"`) || strings.Contains(body, `"method":"notifications/initialized"`) {
				w.begun = append(w.begun, a)
			}
			w.went[a.Call], w.ever[a.Call] = true, true
		case session.Listen:
			w.said = a.Exchange
		case session.From:
			switch of := a.Action.(type) {
			case engine.Ask:
				w.asks[openAsk{a.Call, of.ID}] = true
				if of.Kind != engine.KindListRoots && !w.went[a.Call] {
					w.t.Fatalf("%s is asked before the leg of call %d goes out", of.Kind, a.Call)
				}
			case engine.Withdraw:
				delete(w.asks, openAsk{a.Call, of.Ask})
			case engine.Done, engine.Failed, engine.Parked:
				delete(w.live, a.Call)
				if info, err := w.s.Info(a.Call); err != nil || info.InDoubt && !w.ever[a.Call] {
					w.t.Fatalf("call %d is in doubt, and no leg of it went out (%v)", a.Call, err)
				}
			}
		}
	}
}
