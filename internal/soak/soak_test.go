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
)

var (
	soakCalls = flag.Int("calls", 0, "TestSoak: how many calls to make; 0 means as many as the time allows")
	soakSeed  = flag.Uint64("seed", 0, "TestSoak: what to do again; 0 means something else each time")
	soakAlive = flag.Int("alive", 64, "TestSoak: how many calls to make at a time")
)

// soakTime is how long TestSoak makes calls: SOAK in the environment, or 10 s.
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
	if seed == 0 {
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
		made = l.makeCalls(clients, made, *soakCalls*(half+1)/2, soakTime(t)/2)
		took += time.Since(begun)
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
	backTo(t, goroutines)

	l.report(t)
	t.Logf("%d calls in %.1f s: %.0f a second, %.0f us a call; heap and stacks %.1f MiB at most, %.1f KiB for each of %d calls at a time",
		made, took.Seconds(), float64(made)/took.Seconds(), float64(took.Microseconds())/float64(made), mib(most), float64(most)/float64(*soakAlive)/1024, *soakAlive)
	t.Logf("held after half the calls and at the end: %.2f MiB and %.2f MiB; by the instances: %.2f MiB and %.2f MiB",
		mib(held[0]), mib(held[1]), mib(memory[0]), mib(memory[1]))
	if held[1] > held[0]+2<<20 {
		t.Errorf("%d bytes are held at the end, %d after half the calls", held[1], held[0])
	}
	if memory[1] > memory[0]+4<<20 {
		t.Errorf("the instances hold %d bytes at the end, %d after half the calls", memory[1], memory[0])
	}
	if rt.Live() != 0 {
		t.Errorf("%d flows, sessions and calls are still live", rt.Live())
	}
	if made > 100 && l.counts["executed"] < made/2 {
		t.Errorf("%d calls and %d executions: nothing much was tried", made, l.counts["executed"])
	}
}

// makeCalls makes calls, from one number to another or for some time, and
// returns the next number.
func (l *ledger) makeCalls(clients *clients, from, to int, most time.Duration) (next int) {
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range *soakAlive {
		workers.Go(func() {
			for n := range numbers {
				c := l.newCall(n)
				l.make(c, clients)
				l.settleLater(c)
			}
		})
	}
	begun := time.Now()
	for next = from; to > 0 && next < to || to == 0 && time.Since(begun) < most; next++ {
		numbers <- next
	}
	close(numbers)
	workers.Wait()
	l.settleAll()
	return next
}

// tooLate is how long after its end a call's requests may still be handled.
const tooLate = 4 * time.Second

// settleLater settles a call when nothing of it can come any more.
func (l *ledger) settleLater(c *call) {
	l.settling.Add(1)
	time.AfterFunc(tooLate, func() {
		defer l.settling.Done()
		l.settle(c)
	})
}

func (l *ledger) settleAll() { l.settling.Wait() }

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
