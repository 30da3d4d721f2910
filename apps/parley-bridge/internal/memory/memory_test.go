package memory_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/hosts/go/serve"
)

const kib = 1 << 10

func text(kibs int) []byte { return make([]byte, kibs*kib) }

// lost is what is sent instead of an answer.
var lost = []byte("lost")

// kept is what a connection would read of a queue, by length in KiB; -1 is that an
// answer was lost.
func kept(q *memory.Queue) (all []int) {
	for number := 0; ; {
		e, _ := q.Next(number)
		if e == nil {
			return all
		}
		number = e.Number
		if string(e.Text) == "lost" {
			all = append(all, -1)
		} else {
			all = append(all, len(e.Text)/kib)
		}
		q.Written(e, false)
	}
}

func read(q *memory.Queue) {
	for number := 0; ; {
		e, _ := q.Next(number)
		if e == nil {
			return
		}
		number = e.Number
		q.Written(e, true)
	}
}

// TestOrder frees memory in order: events that were sent of ended streams, then of running
// streams, then answers that no client fetched, then news. A question stays.
func TestOrder(t *testing.T) {
	b := &memory.Bound{Bytes: serve.Share{All: 100 * kib, Each: 100 * kib}}
	is := func(what string, q *memory.Queue, want ...int) {
		t.Helper()
		got := kept(q)
		if len(got) != len(want) {
			t.Errorf("%s: got %d, want %d", what, got, want)
			return
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: got %d, want %d", what, got, want)
			}
		}
	}
	asked, unfetched, fetched, runs := b.NewQueue("", true), b.NewQueue("", true), b.NewQueue("", true), b.NewQueue("", true)
	asked.Add(text(8)) // news
	settle, err := asked.AddQuestion(text(20))
	if err != nil {
		t.Fatal(err)
	}
	unfetched.Add(text(4))
	unfetched.AddAnswer(text(20), lost)
	unfetched.End()
	fetched.AddAnswer(text(20), lost)
	read(fetched)
	fetched.End()
	runs.Add(text(16))
	read(runs)
	is("nothing is dropped yet", fetched, 20)

	fill := b.Lease("", 20*kib)
	is("what was fetched", fetched, -1)
	is("no more", runs, 16)
	fill.Grow(16 * kib)
	is("what was read of a stream that runs", runs)
	is("no more", unfetched, 4, 20)
	fill.Grow(22 * kib)
	is("what was not fetched", unfetched, -1)
	is("no more", asked, 8, 20)
	fill.Grow(14 * kib)
	is("news", asked, 20)
	if err := b.Full(""); err != nil {
		t.Errorf("got %v, want room", err)
	}
	fill.Grow(30 * kib)
	is("not the question", asked, 20)
	if err := b.Full(""); !errors.Is(err, serve.ErrFull) {
		t.Errorf("got %v, want that there is no room", err)
	}
	if _, err := asked.AddQuestion(text(1)); err == nil {
		t.Error("a question more: got no error")
	}
	is("the question before it", asked, 20)
	settle()
	fill.Grow(1)
	is("once it is answered", asked)
	for _, q := range []*memory.Queue{asked, unfetched, fetched, runs} {
		q.Close()
		q.Close()
		q.Add(text(1)) // too late
	}
	fill.Drop()
	if got := b.Held(); got != 0 {
		t.Errorf("at the end %d bytes are held", got)
	}
}

// TestShares has one user take all that there is: nothing of another's goes, who finds
// room.
func TestShares(t *testing.T) {
	b := &memory.Bound{Bytes: serve.Share{All: 100 * kib, Each: 60 * kib}}
	bobs := b.NewQueue("bob", true)
	bobs.AddAnswer(text(30), lost)
	bobs.End()
	var adas []*memory.Queue
	for range 50 {
		q := b.NewQueue("ada", true)
		q.AddAnswer(text(10), lost)
		q.End()
		adas = append(adas, q)
	}
	if got := kept(bobs); got[0] != 30 {
		t.Errorf("bob's: got %d, want 30", got)
	}
	if first, last := kept(adas[0]), kept(adas[49]); first[0] != -1 || last[0] != 10 {
		t.Errorf("ada's: got %d and %d, want the first to go", first, last)
	}
	hers := b.Lease("ada", 61*kib)
	if err := b.Full("ada"); !errors.Is(err, serve.ErrShare) {
		t.Errorf("ada: got %v, want %v", err, serve.ErrShare)
	}
	if err := b.Full("bob"); err != nil {
		t.Errorf("bob: got %v, want room", err)
	}
	if text := memory.Text(serve.ErrShare); !strings.Contains(text, "end a session") {
		t.Errorf("got %q, want what to do", text)
	}
	hers.Drop()
	for _, q := range append(adas, bobs) {
		q.Close()
	}
	if got := b.Held(); got != 0 {
		t.Errorf("at the end %d bytes are held", got)
	}
}

// TestAlone has a queue bounded by itself, where a question stays at its front.
func TestAlone(t *testing.T) {
	b := &memory.Bound{Bytes: serve.Share{All: 1 << 30, Each: 1 << 30}}
	q := b.NewQueue("", true)
	if _, err := q.AddQuestion(text(1)); err != nil {
		t.Fatal(err)
	}
	q.AddAnswer(text(2), lost)
	for range 5000 {
		q.Add(text(0))
	}
	if got := kept(q); len(got) != 1024 || got[0] != 1 {
		t.Errorf("got %d events, %d first, want 1024, the question first", len(got), got[0])
	}
	q.AddAnswer(text(10<<10), lost)
	q.AddAnswer(text(10<<10), lost)
	got := kept(q)
	if n := len(got); got[0] != 1 || got[n-2] != -1 || got[n-1] != 10<<10 {
		t.Errorf("got %d, want that the first long answer was lost", got)
	}
	if b.Held() > 11<<20 {
		t.Errorf("%d bytes are held", b.Held())
	}
	q.Close()
	if got := b.Held(); got != 0 {
		t.Errorf("at the end %d bytes are held", got)
	}
}

// TestTransient has what cannot be taken up again go once it is written.
func TestTransient(t *testing.T) {
	b := &memory.Bound{Bytes: serve.Share{All: 1 << 20, Each: 1 << 20}}
	q := b.NewQueue("", false)
	empty := b.Held()
	q.AddAnswer(text(100), lost)
	e, _ := q.Next(0)
	q.Close() // while it is written
	if got := b.Held(); got < 100*kib {
		t.Errorf("while it is written: got %d bytes", got)
	}
	q.Written(e, false)
	if got := b.Held(); got != 0 {
		t.Errorf("at the end %d bytes are held", got)
	}
	q = b.NewQueue("", false)
	q.Add(text(100))
	read(q)
	if got := b.Held(); got != empty {
		t.Errorf("once it is written: got %d bytes, want %d", got, empty)
	}
	q.Close()
}

// TestStress has everything happen at once to the queues and leases of three users:
// what is held is never more than the bound and what cannot be dropped, and nothing
// once all has ended.
func TestStress(t *testing.T) {
	for seed := range uint64(4) {
		const all, most = 1 << 20, 64 * kib
		b := &memory.Bound{Bytes: serve.Share{All: all, Each: all / 2}}
		var workers sync.WaitGroup
		for w := range 6 {
			workers.Go(func() {
				r := rand.New(rand.NewPCG(seed, uint64(w)))
				user := []string{"ada", "bob", "eve"}[w%3]
				for range 60 {
					q := b.NewQueue(user, r.IntN(4) > 0)
					var uses sync.WaitGroup
					for range r.IntN(3) {
						sure := r.IntN(4) > 0
						uses.Go(func() { // a connection
							for number := 0; ; {
								e, state := q.Next(number)
								switch {
								case e != nil:
									number = e.Number
									runtime.Gosched()
									q.Written(e, sure)
								case state.Ended:
									return
								default:
									<-state.Change
								}
							}
						})
					}
					lease := b.Lease(user, r.IntN(kib))
					var open []func()
					for range r.IntN(40) {
						switch r.IntN(6) {
						case 0, 1:
							q.Add(make([]byte, r.IntN(most)))
						case 2:
							q.AddAnswer(make([]byte, r.IntN(most)), lost)
						case 3:
							if settle, err := q.AddQuestion(make([]byte, r.IntN(kib))); err == nil {
								open = append(open, settle)
							}
						case 4:
							lease.Grow(r.IntN(kib))
						case 5:
							held := lease.Keep()
							uses.Go(held.Drop)
						}
						// What cannot be dropped: of each worker an event for each connection, a lease, the
						// questions and the message that has just come.
						if got := b.Held(); got > all+6*(4*(most+kib)+80*kib) {
							t.Errorf("%d bytes are held", got)
						}
					}
					for _, settle := range open {
						settle()
					}
					if r.IntN(4) > 0 {
						q.End()
						uses.Wait()
					}
					q.Close()
					uses.Wait()
					lease.Drop()
				}
			})
		}
		workers.Wait()
		if got := b.Held(); got != 0 {
			t.Fatalf("seed %d: at the end %d bytes are held", seed, got)
		}
	}
}

// FuzzHeld has any steps in any order: what is held is exactly what is there, and
// nothing at the end.
func FuzzHeld(f *testing.F) {
	f.Add([]byte{0, 9, 1, 200, 2, 100, 3, 50, 4, 0, 5, 0, 6, 255})
	f.Add([]byte{1, 255, 1, 255, 6, 0, 0, 255, 4, 1, 7, 0, 5, 1, 1, 255})
	f.Fuzz(func(t *testing.T, steps []byte) {
		b := &memory.Bound{Bytes: serve.Share{All: 4 * kib, Each: 2 * kib}}
		users := []string{"ada", "bob"}
		queues := []*memory.Queue{b.NewQueue("ada", true), b.NewQueue("bob", false), b.NewQueue("ada", true)}
		leases := []*memory.Lease{b.Lease("ada", 0), b.Lease("bob", 0)}
		type reading struct {
			q *memory.Queue
			e *memory.Event
		}
		var readings []reading
		for ; len(steps) > 1; steps = steps[2:] {
			n := int(steps[1])
			q := queues[n%len(queues)]
			switch steps[0] % 9 {
			case 0:
				q.Add(make([]byte, n*8))
			case 1:
				q.AddAnswer(make([]byte, n*8), lost)
			case 2:
				if settle, err := q.AddQuestion(make([]byte, n)); err == nil && n%2 == 0 {
					defer settle()
				}
			case 3:
				leases[n%2].Grow(n)
			case 4:
				if e, _ := q.Next(n % 3); e != nil {
					readings = append(readings, reading{q, e})
				}
			case 5:
				if len(readings) > 0 {
					readings[0].q.Written(readings[0].e, n%2 == 0)
					readings = readings[1:]
				}
			case 6:
				q.End()
			case 7:
				q.Close()
				queues[n%len(queues)] = b.NewQueue(users[n%2], n%3 > 0)
			case 8:
				leases[n%2].Drop()
				leases[n%2] = b.Lease(users[n%2], n)
			}
			if b.Held() < 0 {
				t.Fatalf("%d bytes are held", b.Held())
			}
		}
		for _, r := range readings {
			r.q.Written(r.e, true)
		}
		for _, q := range queues {
			q.Close()
		}
		for _, l := range leases {
			l.Drop()
		}
		if got := b.Held(); got != 0 {
			t.Fatalf("at the end %d bytes are held", got)
		}
	})
}
