package session_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// A call of two legs with one question allocates little: a session may make
// thousands at once.
func TestAllocations(t *testing.T) {
	s, err := session.New(session.Options{Known: "2026-07-28", Can: &engine.Can{Form: true}})
	if err != nil {
		t.Fatal(err)
	}
	params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
	answers := [][]byte{
		[]byte(`{"resultType":"input_required","requestState":"AbCdEf","inputRequests":{"name":` +
			`{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","title":"Name","minLength":1}},"required":["name"]}}}}}`),
		[]byte(`{"content":[]}`),
	}
	// What the host hands over is made before, so that only the session's own is
	// counted.
	type made struct{ begin, answer, first, second session.Event }
	const runs = 100
	calls := make([]made, runs+2) // the first one confirms the version, and AllocsPerRun makes one more
	response := func(exchange int, result []byte) session.Event {
		return session.Message{Exchange: exchange, Status: 200, Last: true, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%s}`, exchange, result)}
	}
	for i := range calls {
		calls[i] = made{
			session.To{Call: i + 1, Event: engine.Begin{}},
			session.To{Call: i + 1, Event: engine.Answer{Ask: 1, Raw: []byte(`{"action":"accept","content":{"name":"octocat"}}`)}},
			response(2*i+1, answers[0]), response(2*i+2, answers[1]),
		}
	}
	can := &engine.Can{Form: true}
	call := func() {
		m := &calls[0]
		calls = calls[1:]
		number, err := s.Call("tools/call", params, engine.Options{Can: can})
		if err != nil {
			t.Fatal(err)
		}
		for _, ev := range []session.Event{m.begin, m.first, m.answer, m.second} {
			if actions, err := s.Step(0, ev); err != nil || len(actions) == 0 {
				t.Fatal(actions, err)
			}
		}
		s.Free(number)
	}
	call()
	if got := testing.AllocsPerRun(runs, call); got > 35 { // two of them are the race detector's
		t.Errorf("a call of two legs takes %v allocations, want at most 35", got)
	}
}

// What is over leaves nothing behind, even where an earlier call goes on.
func TestCallsBesideALongOne(t *testing.T) {
	s, err := session.New(session.Options{Known: "2026-07-28"})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	begin := func() (number int) {
		calls++
		number, err := s.Call("tools/call", []byte(`{"name":"t"}`), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Step(0, session.To{Call: number, Event: engine.Begin{}}); err != nil {
			t.Fatal(err)
		}
		return number
	}
	answer := func(exchange int) {
		body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}`, exchange)
		actions, err := s.Step(0, session.Message{Exchange: exchange, Status: 200, Last: true, Body: body})
		from, ok := actions[len(actions)-1].(session.From)
		if _, done := from.Action.(engine.Done); err != nil || !ok || !done || from.Call != exchange {
			t.Fatalf("exchange %d: got %v, %v", exchange, actions, err)
		}
	}
	held := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	long := begin()
	var before uint64
	for i := range 20_000 {
		if i == 1000 {
			before = held()
		}
		number := begin()
		answer(number) // exchanges are counted as calls are
		s.Free(number)
	}
	if after := held(); after > before+64<<10 {
		t.Errorf("19,000 calls left %d bytes behind", after-before)
	}
	answer(long)
	if n := s.Calls(); n != 1 {
		t.Errorf("got %d calls, want 1", n)
	}
}
