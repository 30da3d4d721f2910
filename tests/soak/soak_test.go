package soak_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

var (
	soakCalls = flag.Int("calls", 0, "TestSoak: how many calls to make; 0 means as many as the time allows")
	soakSeed  = flag.Uint64("seed", 0, "TestSoak: what to do again; 0 means the same each time or, with SOAK, something else")
	soakAlive = flag.Int("alive", 64, "TestSoak: how many calls to make at a time")
)

// soakTime is how long calls are made, for both eras together: SOAK in the
// environment, or 10 s.
func soakTime(t *testing.T) time.Duration {
	text := os.Getenv("SOAK")
	if text == "" {
		return 10 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("SOAK: %v", err)
	}
	return d
}

// Calls over HTTP through everything that can go wrong on the way, each gone
// on with until it is done. See the package comment for what must hold.
func TestSoak(t *testing.T) { soak(t, false) }

// The same with a server of an earlier era, whose questions are requests of its
// own.
func TestSoakEarlier(t *testing.T) { soak(t, true) }

func soak(t *testing.T, earlier bool) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	seed := *soakSeed
	if seed == 0 && os.Getenv("SOAK") != "" {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", seed)
	rt := newRuntime(t)
	goroutines := runtime.NumGoroutine()
	l := newLedger(seed, earlier)
	h := newHostile(t, l)
	clients := newClients(t, l, [2]parley.Engine{parley.Native{}, rt}, "http://"+h.addr)
	stop := make(chan struct{})
	var upkeep sync.WaitGroup
	upkeep.Go(func() { h.restart(t, stop) })
	upkeep.Go(func() { clients.replace(stop) })

	highest := peak()
	made, took := 0, time.Duration(0)
	var held, memory [2]int
	for half := range held {
		begun := time.Now()
		made = l.makeCalls(clients, made, *soakCalls*(half+1)/2, soakTime(t)/4)
		took += time.Since(begun)
		l.settling.Wait()
		if h.old != nil {
			h.old.forgetAll()
		}
		h.idle(t)
		held[half], memory[half] = heap(), rt.Memory()
	}
	most := highest()
	close(stop)
	upkeep.Wait()
	clients.closeAll()
	h.server.Close()
	if h.old != nil {
		h.old.forgetAll()
	}
	h.idle(t)
	hosttest.BackTo(t, goroutines)

	l.report(t)
	t.Logf("%d calls in %.1f s, %d at a time: %.0f a second, %.0f us a call; heap and stacks %.1f MiB at most, with the server's and the ledger's",
		made, took.Seconds(), *soakAlive, float64(made)/took.Seconds(), float64(took.Microseconds())/float64(made), mib(most))
	t.Logf("held after half the calls and at the end: %.2f MiB and %.2f MiB; by the instances: %.2f MiB and %.2f MiB",
		mib(held[0]), mib(held[1]), mib(memory[0]), mib(memory[1]))
	if left, before := held[1]-memory[1], held[0]-memory[0]; left > before+2<<20 {
		t.Errorf("%d bytes beside the instances' are held at the end, %d after half the calls", left, before)
	}
	if memory[1] > memory[0]+4<<20 {
		t.Errorf("the instances hold %d bytes at the end, %d after half the calls", memory[1], memory[0])
	}
	if rt.Live() != 0 {
		t.Errorf("%d flows, sessions and calls are still live", rt.Live())
	}
	// Between a callback's last look at its context and its call the question
	// can still be withdrawn, but hardly ever is.
	if vain := l.counts["asked in vain"]; vain > 10+l.counts["questions asked"]/100 {
		t.Errorf("%d callbacks of %d were called when their question was withdrawn already", vain, l.counts["questions asked"])
	}
	if made > 100 && l.counts["executed"] < made/2 {
		t.Errorf("%d calls and %d executions: nothing much was tried", made, l.counts["executed"])
	}
}

// leastCalls are made in each half, however slow the machine is: what is held
// after fewer says nothing.
const leastCalls = 300

// makeCalls makes calls, from one number to another or for some time, and
// returns the next number.
func (l *ledger) makeCalls(clients *clients, from, to int, most time.Duration) (next int) {
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range *soakAlive {
		workers.Go(func() {
			for n := range numbers {
				c := l.newCall(n)
				l.complete(c, clients)
				l.settleLater(c)
			}
		})
	}
	begun := time.Now()
	for next = from; to > 0 && next < to || to == 0 && (time.Since(begun) < most || next < from+leastCalls); next++ {
		numbers <- next
	}
	close(numbers)
	workers.Wait()
	return next
}

// tooLate is how long after its end a call's requests may be handled. One that
// comes later, because the machine is busy, is dropped.
const tooLate = 3 * time.Second

// settleLater settles a call when nothing of it should come any more.
func (l *ledger) settleLater(c *call) {
	l.settling.Add(1)
	time.AfterFunc(tooLate, func() {
		defer l.settling.Done()
		l.settle(c)
	})
}

// report says what went on, and what must not have.
func (l *ledger) report(t *testing.T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, wrong := range l.wrong {
		t.Error(wrong)
	}
	if n := l.counts["violations"]; n > len(l.wrong) {
		t.Errorf("%d more", n-len(l.wrong))
	}
	var all []string
	for what, n := range l.counts {
		all = append(all, fmt.Sprintf("%s %d", what, n))
	}
	slices.Sort(all)
	t.Log(strings.Join(all, "; "))
}
