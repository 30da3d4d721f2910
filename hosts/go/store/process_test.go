package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// storeHelper is the environment variable that makes a test process a taker,
// naming the store's directory.
const storeHelper = "PARLEY_TEST_STORE"

// TestStoreProcess is no test: it is what the other processes of the tests of
// the store run. Each line it reads is a command, each line it writes what
// came of it.
func TestStoreProcess(t *testing.T) {
	dir := os.Getenv(storeHelper)
	if dir == "" {
		t.Skip("not a helper process")
	}
	s := &store.Files{Dir: dir, Unsealed: true}
	leases := map[string]store.Lease{}
	lines := bufio.NewScanner(os.Stdin)
	fmt.Println("ready")
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		id, said := words[1], ""
		var err error
		switch words[0] {
		case "take":
			var snapshot []byte
			leases[id], snapshot, err = s.Take(t.Context(), id)
			said = string(snapshot)
		case "create":
			leases[id], err = s.Create(t.Context(), id)
		case "save":
			err = leases[id].Save(t.Context(), []byte(words[2]), store.About{})
		case "count": // up, saving each number, until it is killed
			for n, _ := strconv.Atoi(words[2]); err == nil; n++ {
				if err = leases[id].Save(t.Context(), fmt.Append(nil, n), store.About{Principal: "ann"}); err == nil {
					fmt.Println("ok", n)
				}
			}
		case "release":
			err = leases[id].Release(t.Context())
		case "delete":
			err = s.Delete(t.Context(), id)
		case "done":
			err = leases[id].Done(t.Context())
		case "lease":
			s.Lease, err = time.ParseDuration(words[1])
		case "die": // before the call of the system of that number
			before(s, words[2], func() {
				self, _ := os.FindProcess(os.Getpid())
				self.Kill()
				select {}
			})
		case "stop": // there, for a while
			before(s, words[2], func() {
				fmt.Println("stops")
				standStill()
			})
		}
		switch {
		case errors.Is(err, store.ErrTaken):
			said = "taken"
		case errors.Is(err, store.ErrNotFound):
			said = "not found"
		case err != nil:
			said = err.Error()
		}
		fmt.Println("ok", said)
	}
}

// before does something once, before the call of the system of a number.
func before(s *store.Files, number string, do func()) {
	at, _ := strconv.Atoi(number)
	store.Before(s, func(string, string) error {
		if at--; at == 0 {
			do()
		}
		return nil
	})
}

// standStill has this process stop until it is continued, where that can be done.
var standStill func()

// process is a helper process.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
}

func newProcess(t *testing.T, dir string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: exec.Command(exe, "-test.run=^TestStoreProcess$")}
	p.cmd.Env = append(os.Environ(), storeHelper+"="+dir)
	p.cmd.Stderr = os.Stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.lines = bufio.NewScanner(stdout)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	for p.lines.Scan() && p.lines.Text() != "ready" {
	}
	return p
}

func (p *process) send(command string) { fmt.Fprintln(p.stdin, command) }

func (p *process) hear() string {
	if !p.lines.Scan() {
		return "gone"
	}
	return strings.TrimPrefix(p.lines.Text(), "ok ")
}

func (p *process) do(command string) string {
	p.send(command)
	return p.hear()
}

func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// A process that is killed leaves nothing taken.
func TestStoreHolderKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it cannot be told here whether a process runs")
	}
	s := newStore(t)
	must(t, put(t, s, "a", []byte("1")))
	p := newProcess(t, s.Dir)
	if got := p.do("take a"); got != "1" {
		t.Fatalf("take: got %q", got)
	}
	if got := p.do("save a 2"); got != "" {
		t.Fatalf("save: got %q", got)
	}
	if got := p.do("create b"); got != "" {
		t.Fatalf("create: got %q", got)
	}
	_, _, err := s.Take(t.Context(), "a")
	wantErr(t, "take of another process's call", err, store.ErrTaken)
	wantErr(t, "delete of another process's call", s.Delete(t.Context(), "a"), store.ErrTaken)
	p.kill()
	must(t, take(t, s, "a", "2").Done(t.Context()))
	if calls, err := list(t, s); err != nil || len(calls) != 0 { // which clears away what is left of b
		t.Errorf("list: got %v, %v", calls, err)
	}
	wantEmpty(t, s)
}

// A process that is killed between any two calls of the system leaves nothing
// taken, and the last snapshot or the one that it was saving.
func TestStoreHolderKilledAnywhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it cannot be told here whether a process runs")
	}
	type step struct{ do, whenKilled, after string } // what there is; "-" for nothing
	for name, life := range map[string][]step{
		"one that waits": {{"take a", "1", "1"}, {"save a 2", "1 2", "2"}, {"done a", "2 -", "-"}},
		"a new one":      {{"create a", "-", "-"}, {"save a 1", "- 1", "1"}, {"release a", "1", "1"}},
		"discarded":      {{"delete a", "1 -", "-"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const most = 200
			for at, over := 1, false; !over; at++ {
				if at == most {
					t.Fatal("it never comes to an end")
				}
				s := newStore(t)
				if name != "a new one" {
					must(t, put(t, s, "a", []byte("1")))
				}
				p := newProcess(t, s.Dir)
				p.do(fmt.Sprint("die a ", at))
				want := ""
				for _, step := range life {
					want = step.after
					if over = p.do(step.do) != "gone"; !over {
						want = step.whenKilled
						break
					}
				}
				p.kill()
				lease, snapshot, err := s.Take(t.Context(), "a")
				is := string(snapshot)
				if errors.Is(err, store.ErrNotFound) {
					is, err = "-", nil
				}
				if err != nil || !slices.Contains(strings.Fields(want), is) {
					t.Errorf("killed at %d: got %q, %v, want %s", at, is, err, want)
				} else if lease != nil {
					must(t, lease.Done(t.Context()))
				}
				s.Lease = time.Nanosecond // after which nobody is about to make a call
				if calls, err := list(t, s); err != nil || len(calls) != 0 {
					t.Errorf("killed at %d: listed %v, %v", at, calls, err)
				}
				wantEmpty(t, s)
			}
		})
	}
}

// Processes that want the same call: exactly one gets it, whether it was given
// back or its holder was killed.
func TestStoreRace(t *testing.T) {
	const rounds = 30
	s := newStore(t)
	victim := newProcess(t, s.Dir)
	for i := range rounds {
		id := fmt.Sprint("r", i)
		must(t, put(t, s, id, []byte("snapshot")))
		if i%2 == 1 {
			if got := victim.do("take " + id); got != "snapshot" {
				t.Fatalf("take: got %q", got)
			}
		}
	}
	victim.kill()
	var racers []*process
	for range 6 {
		racers = append(racers, newProcess(t, s.Dir))
	}
	for i := range rounds {
		if i%2 == 1 && runtime.GOOS == "windows" {
			continue // the victim's leases last until they expire
		}
		id := fmt.Sprint("r", i)
		for _, p := range racers {
			p.send("take " + id)
		}
		var winner *process
		for _, p := range racers {
			switch got := p.hear(); got {
			case "snapshot":
				if winner != nil {
					t.Fatalf("%s has two winners", id)
				}
				winner = p
			case "taken":
			default:
				t.Errorf("%s: got %q", id, got)
			}
		}
		if winner == nil {
			t.Fatalf("nobody got %s", id)
		}
		if got := winner.do("save " + id + " newer"); got != "" {
			t.Errorf("save: got %q", got)
		}
		if got := winner.do("release " + id); got != "" {
			t.Errorf("release: got %q", got)
		}
		must(t, take(t, s, id, "newer").Done(t.Context()))
	}
}
