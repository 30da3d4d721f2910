package saved_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

func newStore(t *testing.T) *store.Files {
	dir := t.TempDir()
	return &store.Files{Dir: dir, Box: &seal.KeyFileBox{Name: filepath.Join(dir, "key"), Create: true}}
}

// entry is a call that all of the programs know something about.
func entry(t *testing.T, tool string) saved.Entry {
	t.Helper()
	e := saved.Entry{
		Server:        server.Server{URL: "https://example.com/mcp", Label: "the desk"},
		SampleCommand: []string{"model", "-x"}, SampleModel: "m", Roots: []json.RawMessage{[]byte(`{"uri":"file:///x"}`)},
	}
	flow, err := engine.New("tools/call", []byte(`{"name":"`+tool+`"}`), engine.Options{Peer: e.Peer()})
	if err == nil {
		e.Snapshot, err = flow.Snapshot()
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestPrincipal takes a call that is an account's.
func TestPrincipal(t *testing.T) {
	files := newStore(t)
	e := saved.Entry{Server: server.Server{URL: "https://example.com/mcp", Label: "the desk"}}
	flow, err := engine.New("tools/call", []byte(`{"name":"x"}`), engine.Options{Peer: e.Peer(), Principal: "an \"account\""})
	if err == nil {
		e.Snapshot, err = flow.Snapshot()
	}
	if err != nil {
		t.Fatal(err)
	}
	id, err := saved.Put(t.Context(), files, e)
	if err != nil {
		t.Fatal(err)
	}
	_, _, info, err := saved.Take(t.Context(), files, id)
	if err != nil || info.Principal != "an \"account\"" {
		t.Errorf("got %q, %v", info.Principal, err)
	}
}

// TestEntry has one program go on with what another one saved, and lose nothing.
func TestEntry(t *testing.T) {
	files, before, later := newStore(t), entry(t, "before"), entry(t, "later")
	id, err := saved.Put(t.Context(), files, before)
	if err != nil {
		t.Fatal(err)
	}
	lease, e, info, err := saved.Take(t.Context(), files, id)
	if err != nil || !reflect.DeepEqual(e, before) || string(info.Params) != `{"name":"before"}` {
		t.Fatalf("taken: got %+v, %+v, %v", e, info, err)
	}
	if _, _, _, err := saved.Take(t.Context(), files, id); !errors.Is(err, store.ErrTaken) {
		t.Errorf("taken again: got %v", err)
	}
	call := saved.Begin(id, lease, e, func(problem string) { t.Error(problem) })
	if err := call.Save(t.Context(), later.Snapshot); err != nil {
		t.Error(err)
	}
	if kept, err := call.End(parley.Outcome{}, &parley.Error{Code: fault.Lost, Resumable: true}, false, true); !kept || err != nil {
		t.Errorf("End: got %v, %v", kept, err)
	}
	_, e, _, err = saved.Take(t.Context(), files, id)
	if before.Snapshot = later.Snapshot; err != nil || !reflect.DeepEqual(e, before) {
		t.Errorf("taken from the next: got %+v, %v", e, err)
	}
}

// TestForeign has files that no program wrote.
func TestForeign(t *testing.T) {
	whole := string(entry(t, "x").Snapshot)
	tests := map[string]struct{ text, want string }{
		"no JSON":      {"x", "the file is not one that this version of Parley wrote"},
		"snapshot":     {whole, "the file is not one"},
		"no server":    {`{"parley":"parked","label":"l","snapshot":` + whole + `}`, "the file is not one"},
		"no snapshot":  {`{"parley":"parked","url":"https://example.com/mcp","label":"l"}`, "the file is not one"},
		"another peer": {`{"parley":"parked","url":"https://evil.example/","label":"l","snapshot":` + whole + `}`, "peer"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			files := newStore(t)
			lease, err := files.Create(t.Context(), "id")
			if err == nil {
				err = errors.Join(lease.Save(t.Context(), []byte(tt.text), store.About{}), lease.Release(t.Context()))
			}
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // the first one lets go of it
				if _, _, _, err = saved.Take(t.Context(), files, "id"); err == nil || !strings.Contains(saved.Problem(err), tt.want) {
					t.Errorf("got %v, want %q", err, tt.want)
				}
			}
		})
	}
}

func TestEnd(t *testing.T) {
	after := entry(t, "after").Snapshot
	failed := func(resumable, inDoubt bool) error {
		return &parley.Error{Resumable: resumable, InDoubt: inDoubt, Snapshot: after}
	}
	lost := errors.Join(failed(true, false), store.ErrTaken)
	tests := map[string]struct {
		out                     parley.Outcome
		err                     error
		resumed, stopped, worth bool
		want                    string // tool of the snapshot that is there afterwards, "" for none
	}{
		"done":               {worth: true},
		"parked":             {out: parley.Outcome{Parked: true, Snapshot: after}, want: "after"},
		"failed":             {err: failed(true, false)},
		"somebody asked":     {err: failed(true, false), worth: true, want: "after"},
		"in doubt":           {err: failed(true, true), want: "after"},
		"not resumable":      {err: failed(false, false), resumed: true, worth: true},
		"resumed":            {err: failed(true, false), resumed: true, want: "after"},
		"stopped":            {err: failed(true, true), resumed: true, stopped: true, worth: true},
		"not begun":          {err: errors.New("no engine")},
		"not begun again":    {err: errors.New("no engine"), resumed: true, want: "before"},
		"somebody else's":    {err: lost, resumed: true, worth: true, want: "before"},
		"stopped, not begun": {err: errors.New("no engine"), resumed: true, stopped: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			files, e := newStore(t), entry(t, "before")
			id, err := saved.Put(t.Context(), files, e)
			if err != nil {
				t.Fatal(err)
			}
			lease, _, err := files.Take(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			call := saved.Begin(id, lease, e, nil)
			call.Resumed = tt.resumed
			kept, problem := call.End(tt.out, tt.err, tt.stopped, tt.worth)
			if problem != nil || kept != (tt.want != "" && tt.err != lost) {
				t.Errorf("got %v, %v", kept, problem)
			}
			if tt.err == lost {
				lease.Release(t.Context()) // as if whoever has it had let go of it
			}
			_, _, info, err := saved.Take(t.Context(), files, id)
			if tt.want == "" {
				if !errors.Is(err, store.ErrNotFound) {
					t.Errorf("got %v, want it gone", err)
				}
			} else if got := string(info.Params); err != nil || got != `{"name":"`+tt.want+`"}` {
				t.Errorf("got %s, %v; want %s", got, err, tt.want)
			}
		})
	}
	if kept, err := (*saved.Call)(nil).End(parley.Outcome{Parked: true}, nil, false, true); kept || err != nil {
		t.Errorf("not saved: got %v, %v", kept, err)
	}
}

type full struct{ store.Box }

func (full) SealBytes(_, _ []byte) ([]byte, error) { return nil, errors.New("no room\x1b") }

// TestUnsavable goes on with a call that cannot be saved, and says so once.
func TestUnsavable(t *testing.T) {
	files, e := newStore(t), entry(t, "x")
	lease, err := files.Create(t.Context(), "id")
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	call := saved.Begin("id", lease, e, func(problem string) { told = append(told, problem) })
	given, up := context.WithCancel(t.Context())
	up()
	if err := call.Save(given, e.Snapshot); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: got %v", err)
	}
	files.Box = full{}
	for range 2 {
		if err := call.Save(t.Context(), e.Snapshot); err != nil {
			t.Errorf("Save: got %v", err)
		}
	}
	if want := []string{"the call continues, but is not saved: sealing call id: no room␛"}; !reflect.DeepEqual(told, want) {
		t.Errorf("told: got %q, want %q", told, want)
	}
	kept, problem := call.End(parley.Outcome{Parked: true, Snapshot: e.Snapshot}, nil, false, true)
	if want := "the call could not be saved: sealing call id: no room␛"; kept || problem == nil || problem.Error() != want {
		t.Errorf("End: got %v, %v; want %q", kept, problem, want)
	}
}

// TestLate has a store that cannot be reached for longer than the lease lasts:
// somebody else may have the call, and it goes on only once that is known not to
// be so.
func TestLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lease := &failing{}
		call := saved.Begin("id", lease, entry(t, "x"), func(string) {})
		lease.fails.Store(true)
		time.Sleep(lease.Term() / 2)
		if err := call.Save(t.Context(), []byte("{}")); err != nil {
			t.Errorf("while the lease stands: got %v", err)
		}
		time.Sleep(5 * lease.Term())
		if err := call.Save(t.Context(), []byte("{}")); !errors.Is(err, errAway) {
			t.Errorf("after its time: got %v", err)
		}
		lease.fails.Store(false)
		time.Sleep(lease.Term()) // it is renewed meanwhile
		lease.fails.Store(true)
		if err := call.Save(t.Context(), []byte("{}")); err != nil {
			t.Errorf("renewed after all: got %v", err)
		}
		lease.fails.Store(false)
		call.End(parley.Outcome{}, nil, false, false)
	})
}

var errAway = errors.New("the store is away")

// failing is a lease that can be renewed and saved at times.
type failing struct{ fails atomic.Bool }

func (l *failing) Renew(context.Context) error {
	if l.fails.Load() {
		return errAway
	}
	return nil
}

func (l *failing) Save(ctx context.Context, _ []byte, _ store.About) error { return l.Renew(ctx) }
func (l *failing) Done(ctx context.Context) error                          { return l.Renew(ctx) }
func (l *failing) Release(ctx context.Context) error                       { return l.Renew(ctx) }
func (l *failing) Term() time.Duration                                     { return 30 * time.Second }

func TestProblem(t *testing.T) {
	_, _, _, err := saved.Take(t.Context(), newStore(t), "none")
	if got, want := saved.Problem(err), "there is no parked call of this id"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	box := &seal.KeyFileBox{Name: filepath.Join(t.TempDir(), "key")}
	_, err = box.SealBytes(nil, nil)
	if got, want := saved.Problem(err), "there is no key file "+box.Name; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
