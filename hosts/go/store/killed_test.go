package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// A writer that is killed at whatever moment, again and again, leaves the last
// number that it was told is saved, or the one that it was saving. KILLS is how
// often, KILLS_SEED has the same moments again.
func TestStoreWriterKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it cannot be told here whether a process runs")
	}
	kills, seed := 300, uint64(1)
	for name, read := range map[string]func(string) error{
		"KILLS":      func(text string) (err error) { kills, err = strconv.Atoi(text); return err },
		"KILLS_SEED": func(text string) (err error) { seed, err = strconv.ParseUint(text, 10, 64); return err },
	} {
		if text := os.Getenv(name); text != "" {
			must(t, read(text))
		}
	}
	chance := rand.New(rand.NewPCG(seed, 0))
	s := newStore(t)
	must(t, put(t, s, "a", []byte("0")))
	saved := 0
	for i := range kills {
		p := newProcess(t, s.Dir)
		if got := p.do("take a"); got != fmt.Sprint(saved) {
			t.Fatalf("KILLS_SEED=%d, kill %d: took %q, want %d", seed, i, got, saved)
		}
		p.send(fmt.Sprint("count a ", saved+1))
		saved, _ = strconv.Atoi(p.hear()) // it is at work
		time.AfterFunc(time.Duration(chance.IntN(5000))*time.Microsecond, func() { p.cmd.Process.Kill() })
		for said := p.hear(); said != "gone"; said = p.hear() {
			n, err := strconv.Atoi(said)
			if err != nil || n != saved+1 {
				t.Fatalf("KILLS_SEED=%d, kill %d: heard %q after %d", seed, i, said, saved)
			}
			saved = n
		}
		p.kill()
		lease, snapshot, err := s.Take(t.Context(), "a")
		must(t, err)
		is, err := strconv.Atoi(string(snapshot))
		if err != nil || is != saved && is != saved+1 {
			t.Fatalf("KILLS_SEED=%d, kill %d: got %q, want %d or one more", seed, i, snapshot, saved)
		}
		saved = is
		must(t, lease.Release(t.Context()))
		if calls, err := list(t, s); err != nil || len(calls) != 1 || calls[0].Taken {
			t.Fatalf("KILLS_SEED=%d, kill %d: listed %v, %v", seed, i, calls, err)
		}
	}
	must(t, take(t, s, "a", fmt.Sprint(saved)).Done(t.Context()))
	for call, err := range s.List(t.Context(), store.Query{Principal: "ann"}) { // which clears away what kills have left in the index
		t.Errorf("listed: %v, %v", call, err)
	}
	wantEmpty(t, s)
}
