package fleet_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
)

// lease is so short that what a killed instance held is soon free.
const lease = 250 * time.Millisecond

// setting is what an instance is told when it starts: in one of another language, too.
type setting struct{ Store, Server, Journal, Key string }

const settingName = "FLEET_INSTANCE"

// TestInstance is no test: it is what the instances run. Each line that it reads is
// what to do with a call; it writes the line again when it has tried.
//
//	start ID   make the call, and park it at its first question
//	answer ID  take it, answer one question, and park it at the next
//	finish ID  take it and answer all
//	look ID    the same, waiting for whoever has it; what is in doubt stays so
//	resend ID  the same, and send again what may have been sent
func TestInstance(t *testing.T) {
	var is setting
	if json.Unmarshal([]byte(os.Getenv(settingName)), &is) != nil {
		t.Skip("not an instance")
	}
	box := &seal.KeyFileBox{Name: is.Key}
	var calls store.Store
	var err error
	if strings.HasPrefix(is.Store, "redis") {
		calls, err = redis.Open(t.Context(), is.Store, redis.Options{Box: box, Lease: lease})
	} else {
		calls, err = postgres.Open(t.Context(), is.Store, postgres.Options{Box: box, Lease: lease})
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: is.Server + "?by=" + strconv.Itoa(os.Getpid())}, parley.SessionOptions{
		Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) { return nil, parley.ErrPark }},
	})
	if err != nil {
		t.Fatal(err)
	}
	i := instance{calls, s, journal(is.Journal)}
	fmt.Println("ready")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		go func(line string) {
			what, id, _ := strings.Cut(line, " ")
			i.do(what, id)
			fmt.Println(line)
		}(lines.Text())
	}
}

// instance is one of a product's many.
type instance struct {
	calls   store.Store
	session *parley.Session
	journal journal
}

func (i instance) do(what, id string) {
	ctx := context.Background()
	if what == "start" {
		lease, err := i.calls.Create(ctx, id)
		if err != nil {
			return
		}
		kept, stop := parley.Keep(ctx, lease)
		defer stop()
		save := (&answering{instance: i, id: id, lease: lease, about: store.About{Principal: "ann", Name: "move"}}).save
		out, err := i.session.Call(kept, parley.Request{Method: "tools/call", Params: fmt.Appendf(nil, `{"name":"move","arguments":{"id":%q}}`, id), Save: save})
		i.settle(id, lease, out, err)
		return
	}
	lease, snapshot, err := i.calls.Take(ctx, id)
	for errors.Is(err, store.ErrTaken) && (what == "look" || what == "resend") {
		time.Sleep(10 * time.Millisecond)
		lease, snapshot, err = i.calls.Take(ctx, id)
	}
	if err != nil {
		return
	}
	kept, stop := parley.Keep(ctx, lease)
	defer stop()
	a := &answering{instance: i, id: id, most: 2, lease: lease}
	if what == "answer" {
		a.most = 1
	}
	if what == "resend" {
		i.journal.write("resend", id)
	}
	out, err := i.session.Resume(kept, parley.Resumption{Snapshot: snapshot, Save: a.save, Askers: &parley.Askers{Elicit: a.elicit}, Resend: what == "resend"})
	var failed *parley.Error
	if errors.As(err, &failed) && failed.InDoubt && what == "look" {
		i.journal.write("doubt", id)
	}
	i.settle(id, lease, out, err)
}

// settle tells of what became of a call once the store knows.
func (i instance) settle(id string, lease store.Lease, out parley.Outcome, err error) {
	if parley.Settle(context.Background(), lease, out, err) != nil {
		return
	}
	var failed *parley.Error
	switch {
	case err == nil && out.Parked:
		i.journal.write("parked", id)
	case err == nil:
		i.journal.write("done", id)
	case errors.As(err, &failed) && failed.Snapshot == nil && !failed.Code.Resumable() && failed.Code != fault.InDoubt:
		i.journal.write("failed", id)
	}
}

// answering answers questions, and tells when an answer is saved.
type answering struct {
	instance
	id    string
	most  int
	lease store.Lease
	about store.About

	mu       sync.Mutex
	answered []string
}

func (a *answering) elicit(_ context.Context, q parley.Question) ([]byte, error) {
	if a.most == 0 {
		return nil, parley.ErrPark
	}
	a.most--
	question := "second"
	if strings.Contains(string(q.Params), `"first"`) {
		question = "first"
	}
	a.journal.write("ask", a.id, question)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answered = append(a.answered, question)
	return parley.Accept(map[string]bool{"ok": true})
}

func (a *answering) save(ctx context.Context, snapshot []byte) error {
	a.mu.Lock()
	answered := a.answered
	a.answered = nil
	a.mu.Unlock()
	a.journal.write("saving", a.id, os.Getpid())
	if err := a.lease.Save(ctx, snapshot, a.about); err != nil {
		return err
	}
	for _, question := range answered {
		a.journal.write("saved", a.id, question)
	}
	return nil
}

// process is an instance that runs.
type process struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	heard chan string // what it has tried; closed when it has ended
}

// kind is which program an instance is.
type kind func() *exec.Cmd

// inGo is this program, in [TestInstance].
func inGo() *exec.Cmd { return exec.Command(os.Args[0], "-test.run=^TestInstance$") }

// inJS is what speaks the same lines in Node, on Redis.
func inJS() *exec.Cmd { return exec.Command("node", "../../hosts/js/redis/instance.js") }

func newProcess(t *testing.T, is setting, command kind) *process {
	t.Helper()
	text, err := json.Marshal(is)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: command(), heard: make(chan string, 100)}
	p.cmd.Env = append(os.Environ(), settingName+"="+string(text))
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	lines := bufio.NewScanner(stdout)
	said := ""
	for lines.Scan() && lines.Text() != "ready" {
		said += lines.Text() + "\n"
	}
	if lines.Text() != "ready" {
		t.Fatalf("the instance does not start: %s", said)
	}
	go func() {
		defer close(p.heard)
		for lines.Scan() {
			p.heard <- lines.Text()
		}
	}()
	return p
}

// tell has an instance do something. One that was killed hears nothing.
func (p *process) tell(what, id string) { fmt.Fprintln(p.stdin, what, id) }

func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}
