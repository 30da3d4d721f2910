package parley_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// trapping is an engine whose core traps at a call into it.
type trapping struct {
	parley.Engine
	mu    sync.Mutex
	calls int    // into its cores so far
	at    int    // the call that traps
	next  string // the kind of call that traps when it comes
	heard func(session.Message)
}

var errTrap = errors.New("unreachable")

func (e *trapping) NewSessionCore(opts session.Options) (parley.SessionCore, error) {
	core, err := e.Engine.NewSessionCore(opts)
	return &trappingCore{SessionCore: core, engine: e}, err
}

type trappingCore struct {
	parley.SessionCore
	engine *trapping
	gone   bool
}

// enter fails as an instance does: at its trap, and ever after.
func (c *trappingCore) enter(kind string) error {
	c.engine.mu.Lock()
	defer c.engine.mu.Unlock()
	if c.gone {
		return parley.ErrInstance
	}
	if c.engine.calls++; c.engine.calls == c.engine.at || c.engine.next == kind {
		c.gone, c.engine.next = true, ""
		return errors.Join(parley.ErrInstance, errTrap)
	}
	return nil
}

func (c *trappingCore) Step(now int64, ev session.Event) ([]session.Action, error) {
	if err := c.enter("step"); err != nil {
		return nil, err
	}
	actions, err := c.SessionCore.Step(now, ev)
	if m, ok := ev.(session.Message); ok && c.engine.heard != nil {
		c.engine.heard(m)
	}
	return actions, err
}

func (c *trappingCore) Call(method string, params []byte, opts engine.Options) (int, error) {
	if err := c.enter("call"); err != nil {
		return 0, err
	}
	return c.SessionCore.Call(method, params, opts)
}

func (c *trappingCore) Restore(snapshot []byte, expect engine.Expect) (int, error) {
	if err := c.enter("restore"); err != nil {
		return 0, err
	}
	return c.SessionCore.Restore(snapshot, expect)
}

func (c *trappingCore) Snapshot(call int) ([]byte, error) {
	if err := c.enter("snapshot"); err != nil {
		return nil, err
	}
	return c.SessionCore.Snapshot(call)
}

func (c *trappingCore) Info(call int) (engine.Info, error) {
	if err := c.enter("info"); err != nil {
		return engine.Info{}, err
	}
	return c.SessionCore.Info(call)
}

// booking is a tool that asks once, and counts.
type booking struct {
	mu               sync.Mutex
	legs, runs, asks int
	open             bool // a leg has arrived whose answer no core has seen
}

func (b *booking) result(params []byte) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var leg struct {
		InputResponses map[string]json.RawMessage `json:"inputResponses"`
	}
	json.Unmarshal(params, &leg)
	b.open = true
	if b.legs++; leg.InputResponses == nil {
		return `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}}}`
	}
	b.runs++
	return `{"content":[]}`
}

func (b *booking) send(_ context.Context, r parley.Outbound) ([]byte, error) {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":%s}`, b.result(r.Params)), nil
}

// serve answers over one connection, in 2026-07-28.
func (b *booking) serve(conn io.ReadWriteCloser) {
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		var r struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}
		json.Unmarshal(lines.Bytes(), &r)
		switch r.Method {
		case "server/discover":
			fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`+"\n", r.ID)
		case "tools/call":
			fmt.Fprintf(conn, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", r.ID, b.result(r.Params))
		}
	}
}

// heard takes note of what a core has seen.
func (b *booking) heard(m session.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = b.open && !bytes.Contains(m.Body, []byte(`"inputRequests"`)) && !bytes.Contains(m.Body, []byte(`"content"`))
}

func (b *booking) accept(context.Context, parley.Question) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asks++
	return parley.Accept(map[string]any{})
}

// The engine traps at every call into it in turn: nothing runs twice, nothing that was
// saved is lost, and what may have arrived is in doubt. A snapshot that was kept says that
// its leg may have been sent, so a call may be in doubt whose leg was not.
func TestTrapAnywhere(t *testing.T) {
	transports := map[string]func(*booking) parley.Transport{
		"requests": func(b *booking) parley.Transport { return parley.Requests(b.send) },
		"lines":    func(b *booking) parley.Transport { return parley.InProcess(b.serve) },
	}
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			for at := 1; ; at++ {
				b := &booking{}
				e := &trapping{Engine: parley.Native{}, at: at, heard: b.heard}
				if trapsOnce(t, e, b, transport(b)); e.calls < at {
					return // it was never reached
				}
			}
		})
	}
}

func trapsOnce(t *testing.T, e *trapping, b *booking, transport parley.Transport) {
	s, err := parley.NewSession(e, transport, parley.SessionOptions{Askers: parley.Askers{Elicit: b.accept, ListRoots: workFolder}})
	must(t, err)
	defer closeAll(t, s)
	var saved []byte
	save := func(_ context.Context, snapshot []byte) error {
		saved = snapshot
		return nil
	}
	_, err = s.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"book"}`), Save: save})
	for tries := 0; err != nil && tries < 3; tries++ {
		var failed *parley.Error
		errors.As(err, &failed)
		switch {
		case errors.Is(err, parley.ErrInstance) && saved == nil && b.legs == 0:
			return // before anything was saved or sent
		case failed == nil:
			t.Fatalf("trap %d: %v", e.at, err)
		case b.open && !failed.InDoubt:
			t.Fatalf("trap %d: it has arrived, and is not in doubt: %v", e.at, err)
		case failed.InDoubt && saved == nil:
			t.Fatalf("trap %d: nothing was saved, so nothing was sent, and it is in doubt: %v", e.at, err)
		case errors.Is(err, fault.Instance) && !bytes.Equal(failed.Snapshot, saved):
			t.Fatalf("trap %d: the snapshot is not the one that was saved last", e.at)
		case failed.InDoubt:
			if b.runs > 1 {
				t.Fatalf("trap %d: the tool ran %d times", e.at, b.runs)
			}
			return // a person decides
		}
		_, err = s.Resume(t.Context(), parley.Resumption{Snapshot: saved, Save: save})
	}
	if err != nil {
		t.Fatalf("trap %d: %v", e.at, err)
	}
	if b.runs != 1 {
		t.Errorf("trap %d: the tool ran %d times", e.at, b.runs)
	}
	if b.asks > 2 {
		t.Errorf("trap %d: asked %d times", e.at, b.asks)
	}
}

// A trap ends every call of its session: one that waits for an answer continues from its
// own snapshot, in the session's next core, whatever the connection.
func TestTrapElsewhere(t *testing.T) {
	for name, transport := range map[string]func(*booking) parley.Transport{
		"requests": func(b *booking) parley.Transport { return parley.Requests(b.send) },
		"lines":    func(b *booking) parley.Transport { return parley.InProcess(b.serve) },
	} {
		t.Run(name, func(t *testing.T) {
			e, b := &trapping{Engine: parley.Native{}}, &booking{}
			asked, answer := make(chan bool, 9), make(chan bool)
			s, err := parley.NewSession(e, transport(b), parley.SessionOptions{Askers: parley.Askers{Elicit: func(ctx context.Context, q parley.Question) ([]byte, error) {
				asked <- true
				<-answer
				return b.accept(ctx, q)
			}}})
			must(t, err)
			finished := make(chan error)
			go func() {
				_, err := s.Call(context.Background(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"book"}`), Save: func(context.Context, []byte) error { return nil }})
				finished <- err
			}()
			<-asked
			e.mu.Lock()
			e.at = e.calls + 2 // the next call's begin
			e.mu.Unlock()
			if _, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"book"}`)}); !errors.Is(err, parley.ErrInstance) {
				t.Errorf("the one that traps: %v", err)
			}
			snapshot := snapshotOf(t, <-finished, fault.Instance)
			close(answer)
			if _, err := s.Resume(t.Context(), parley.Resumption{Snapshot: snapshot}); err != nil {
				t.Error(err)
			}
			if b.runs != 1 {
				t.Errorf("the tool ran %d times", b.runs)
			}
			closeAll(t, s)
		})
	}
}
