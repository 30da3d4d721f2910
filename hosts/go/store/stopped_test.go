//go:build unix

package store_test

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

func init() { standStill = func() { syscall.Kill(os.Getpid(), syscall.SIGSTOP) } }

// A holder that is stopped before any call of the system of a Save, for longer
// than its lease, and goes on after somebody else has taken the call, and perhaps
// ended it and begun another of the same id, changes nothing of theirs.
func TestStoreHolderStoppedAnywhere(t *testing.T) {
	for _, ends := range []bool{false, true} {
		t.Run(fmt.Sprint("ended ", ends), func(t *testing.T) {
			t.Parallel()
			stops := 0
			for at := 1; stops == at-1; at++ {
				s := newStore(t)
				must(t, put(t, s, "a", []byte("1")))
				p := newProcess(t, s.Dir)
				p.do("lease 20ms")
				if got := p.do("take a"); got != "1" {
					t.Fatalf("take: got %q", got)
				}
				p.do(fmt.Sprint("stop a ", at))
				p.send("save a 2")
				heard := p.hear()
				if heard != "stops" {
					break
				}
				stops++
				untilStopped(t, p)
				lease, took := takeWhenOver(t, s, "a")
				if ends {
					must(t, lease.Done(t.Context()))
					var err error
					lease, err = s.Create(t.Context(), "a")
					must(t, err)
				}
				must(t, lease.Save(t.Context(), []byte("3"), store.About{}))
				must(t, p.cmd.Process.Signal(syscall.SIGCONT))
				if heard = p.hear(); heard != "taken" && (heard != "" || took != "2") {
					t.Errorf("stopped at %d: the save said %q, and %q was taken", at, heard, took)
				}
				for _, step := range []string{"save a 4", "release a", "done a"} {
					if got := p.do(step); got != "taken" {
						t.Errorf("stopped at %d, %s: got %q", at, step, got)
					}
				}
				must(t, lease.Renew(t.Context()))
				must(t, lease.Release(t.Context()))
				must(t, take(t, s, "a", "3").Done(t.Context()))
				if calls, err := list(t, s); err != nil || len(calls) != 0 {
					t.Errorf("stopped at %d: listed %v, %v", at, calls, err)
				}
				wantEmpty(t, s)
				p.kill()
			}
			if stops < 20 {
				t.Errorf("it was stopped at %d places", stops)
			}
		})
	}
}

// untilStopped waits until a process that is about to stop has: continued before, it
// would stop for ever.
func untilStopped(t *testing.T, p *process) {
	t.Helper()
	for {
		var status syscall.WaitStatus
		_, err := syscall.Wait4(p.cmd.Process.Pid, &status, syscall.WUNTRACED, nil)
		if err == syscall.EINTR {
			continue
		}
		must(t, err)
		if !status.Stopped() {
			t.Fatalf("it did not stop: %v", status)
		}
		return
	}
}

// takeWhenOver takes a call as soon as its lease is over.
func takeWhenOver(t *testing.T, s *store.Files, id string) (store.Lease, string) {
	t.Helper()
	for {
		lease, snapshot, err := s.Take(t.Context(), id)
		if errors.Is(err, store.ErrTaken) {
			time.Sleep(time.Millisecond)
			continue
		}
		must(t, err)
		return lease, string(snapshot)
	}
}
