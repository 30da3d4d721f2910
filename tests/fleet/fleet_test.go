// Package fleet proves what is promised of many instances on one store.
package fleet_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// backend is the server that a fleet's store is in.
type backend interface {
	Kill()
	Start() error
}

const (
	perRun   = 8 // calls of a schedule
	patience = time.Minute
)

// schedules is how many are run with each store, and with which seed they begin.
func schedules(t *testing.T) (first uint64, n int) {
	first, n = 1, 25
	var err error
	if text := os.Getenv("FLEET"); text != "" {
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal("FLEET is a number of schedules")
		}
	}
	if text := os.Getenv("FLEET_SEED"); text != "" {
		if first, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal("FLEET_SEED is the number of a schedule")
		}
		n = 1
	}
	return first, n
}

func TestRedis(t *testing.T) {
	server, err := backends.NewRedis(t.TempDir(), "--appendonly", "yes", "--appendfsync", "always")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Kill)
	url := server.URL("")
	marks, err := redis.OpenReplay(t.Context(), url, patience)
	if err != nil {
		t.Fatal(err)
	}
	defer marks.Close()
	key := newKey(t)
	calls, err := redis.Open(t.Context(), url, redis.Options{Box: &seal.KeyFileBox{Name: key}, Timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	defer calls.Close()
	run(t, &fleet{backend: server, calls: calls, marks: marks, is: setting{Store: url, Key: key}, kinds: []kind{inGo, inGo, inGo, inJS, inJS}})
}

func TestPostgres(t *testing.T) {
	server, err := backends.NewPostgres()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	url := server.URL("")
	marks, err := postgres.OpenReplay(t.Context(), url, patience)
	if err != nil {
		t.Fatal(err)
	}
	defer marks.Close()
	key := newKey(t)
	calls, err := postgres.Open(t.Context(), url, postgres.Options{Box: &seal.KeyFileBox{Name: key}, Timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	defer calls.Close()
	run(t, &fleet{backend: server, calls: calls, marks: marks, is: setting{Store: url, Key: key}, kinds: []kind{inGo, inGo, inGo}})
}

func newKey(t *testing.T) string {
	box := &seal.KeyFileBox{Name: filepath.Join(t.TempDir(), "key"), Create: true}
	if _, err := box.SealBytes(nil, nil); err != nil {
		t.Fatal(err)
	}
	return box.Name
}

// fleet is some instances, their store, and the server that they call.
type fleet struct {
	backend backend
	calls   store.Store
	marks   codec.ReplayStore
	is      setting
	kinds   []kind
	all     []*process // one of each
	journal journal
}

func run(t *testing.T, f *fleet) {
	f.journal = journal(filepath.Join(t.TempDir(), "journal"))
	f.is.Journal = string(f.journal)
	f.is.Server = newServer(t, f.journal, f.marks).URL
	for _, kind := range f.kinds {
		f.all = append(f.all, newProcess(t, f.is, kind))
	}
	first, n := schedules(t)
	for seed := first; seed < first+uint64(n) && !t.Failed(); seed++ {
		f.schedule(t, seed)
	}
	t.Logf("%d schedules of %d calls: %d done, %d effects, %d answers saved, %d found in doubt, %d failed", n, perRun,
		f.journal.count("done"), f.journal.count("effect"), f.journal.count("saved"), f.journal.count("doubt"), f.journal.count("failed"))
	if f.journal.count("done") == 0 {
		t.Error("no call was done")
	}
}

// schedule has calls begun, answered and finished, each time at another instance,
// with something killed, or stopped for longer than a lease, in the middle; then
// one instance goes on with all that is left. The seed decides everything but what
// the machine's load does.
func (f *fleet) schedule(t *testing.T, seed uint64) {
	chance := rand.New(rand.NewPCG(seed, 0))
	id := func(n int) string { return fmt.Sprintf("s%dc%d", seed, n) }
	for round, what := range []string{"start", "answer", "finish"} {
		waits := make([]map[string]bool, len(f.all))
		for n := range perRun {
			at := (n + round) % len(f.all)
			if waits[at] == nil {
				waits[at] = map[string]bool{}
			}
			waits[at][what+" "+id(n)] = true
			f.all[at].tell(what, id(n))
		}
		var all sync.WaitGroup
		for at, p := range f.all {
			all.Go(func() {
				for len(waits[at]) > 0 {
					line, ok := <-p.heard
					if !ok {
						return
					}
					delete(waits[at], line)
				}
			})
		}
		f.strike(t, chance)
		all.Wait()
		for at, p := range f.all {
			if p.cmd.ProcessState != nil {
				f.all[at] = newProcess(t, f.is, f.kinds[at])
			}
		}
	}
	last := f.all[seed%uint64(len(f.all))]
	last.goOn(t, "look", id)
	left := f.left(t)
	if wrong := f.journal.check(left); len(wrong) > 0 {
		t.Errorf("FLEET_SEED=%d runs this schedule again: %v", seed, wrong)
	}
	last.goOn(t, "resend", id)
	left = f.left(t)
	if wrong := f.journal.check(left); len(wrong) > 0 {
		t.Errorf("FLEET_SEED=%d runs this schedule again: sent again: %v", seed, wrong)
	}
}

// strike does something bad, after a while.
func (f *fleet) strike(t *testing.T, chance *rand.Rand) {
	at, wait, kind := chance.IntN(len(f.all)), time.Duration(chance.IntN(40_000))*time.Microsecond, chance.IntN(8)
	time.Sleep(wait)
	switch {
	case kind < 4:
		f.all[at].kill()
	case kind < 6:
		f.backend.Kill()
		if err := f.backend.Start(); err != nil {
			t.Error(err)
		}
	case kind == 6:
		p := f.all[at].cmd.Process
		if err := p.Signal(syscall.SIGSTOP); err != nil {
			t.Error(err)
		}
		time.Sleep(lease + lease/5)
		if err := p.Signal(syscall.SIGCONT); err != nil {
			t.Error(err)
		}
	}
}

// goOn has an instance try every call.
func (p *process) goOn(t *testing.T, what string, id func(int) string) {
	t.Helper()
	for n := range perRun {
		p.tell(what, id(n))
	}
	for range perRun {
		if _, ok := <-p.heard; !ok {
			t.Fatal("an instance ended that nobody killed")
		}
	}
}

// left are the calls that are listed.
func (f *fleet) left(t *testing.T) map[string]bool {
	left := map[string]bool{}
	for call, err := range f.calls.List(t.Context(), store.Query{Principal: "ann"}) {
		if err != nil {
			t.Fatal(err)
		}
		left[call.ID] = true
	}
	return left
}
