// Package saved keeps calls in a store, sealed, while they run and while they
// are parked. What one program has parked another goes on with.
package saved

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/apps/shared-go/request"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// Entry is what a file of the store holds: the engine's snapshot and, before
// it, what the engine does not know. A program that has no use for a part of it
// leaves that to those that do.
type Entry struct {
	server.Server
	SampleCommand []string          `json:"sampleCommand,omitempty"`
	SampleModel   string            `json:"sampleModel,omitempty"`
	Roots         []json.RawMessage `json:"roots,omitempty"`

	// Owner is whose call it is where a program serves several people, before the
	// account that it is made with.
	Owner string `json:"owner,omitempty"`

	Snapshot []byte `json:"-"` // JSON, to be kept byte for byte
}

// text is the entry as JSON.
func (e Entry) text() ([]byte, error) {
	head, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`{"parley":"parked",`), head[1:len(head)-1], []byte(`,"snapshot":`), e.Snapshot, []byte("}")), nil
}

// maxName limits a name in a text about a call, in characters.
const maxName = 200

// about is what a list shows of the call.
func (e Entry) about() store.About {
	info, _ := Info(e.Snapshot, engine.Expect{Peer: e.Peer(), Principal: Principal(e.Snapshot)}) // what takes it will say why
	return About(e, info)
}

// About is what a list shows of a call. Titles of questions are left out: they are
// between the server and the person.
func About(e Entry, info engine.Info) store.About {
	a := store.About{Principal: cmp.Or(e.Owner, Principal(e.Snapshot)), Peer: e.Peer(), Label: plain.Line(e.Label, maxName)}
	if len(a.Peer) > store.MaxAbout/4 {
		a.Peer = "" // a command with long arguments
	}
	a.Method, a.Questions, a.Task, a.InDoubt, a.Over = info.Method, info.Questions, info.Task, info.InDoubt, info.Over
	a.Name = plain.Line(cmp.Or(jsontext.Text(info.Params, "name"), jsontext.Text(info.Params, "uri")), maxName)
	return a
}

// Subject is what a call in a list is about, in words: "the tool NAME".
func Subject(a store.About) string {
	params := fmt.Appendf(nil, `{"name":%s,"uri":%[1]s}`, jsontext.Quote(a.Name))
	return request.Subject(a.Method, params)
}

var errForeign = errors.New("the file is not one that this version of Parley wrote")

func read(data []byte) (e Entry, err error) {
	if jsontext.Text(data, "parley") != "parked" || json.Unmarshal(data, &e) != nil || e.URL == "" && len(e.Command) == 0 {
		return e, errForeign
	}
	if e.Snapshot = jsontext.Get(data, "snapshot"); e.Snapshot == nil {
		return e, errForeign
	}
	e.SetLabel()
	return e, nil
}

// Info is what the engine says of a snapshot.
func Info(snapshot []byte, expect engine.Expect) (engine.Info, error) {
	call, err := engine.Restore(snapshot, expect)
	if err != nil {
		return engine.Info{}, err
	}
	return call.Info(), nil
}

// Principal is whose call a snapshot is: the label of an account, or "".
func Principal(snapshot []byte) string { return jsontext.Text(snapshot, "principal") }

// List is what is in the store, the oldest snapshot first.
func List(ctx context.Context, s store.Store) (calls []store.Parked, err error) {
	for call, err := range s.List(ctx, store.Query{}) {
		if err != nil {
			return nil, err
		}
		calls = append(calls, call)
	}
	return calls, nil
}

// Take takes a call out of the store and looks into it.
func Take(ctx context.Context, s store.Store, id string) (lease store.Lease, e Entry, info engine.Info, err error) {
	lease, data, err := s.Take(ctx, id)
	if err != nil {
		return nil, e, info, err
	}
	if e, err = read(data); err == nil {
		info, err = Info(e.Snapshot, engine.Expect{Peer: e.Peer(), Principal: Principal(e.Snapshot)})
	}
	if err != nil {
		lease.Release(context.WithoutCancel(ctx))
	}
	return lease, e, info, err
}

// Reseal saves a call anew, and what is said about it.
func Reseal(ctx context.Context, s store.Store, id string) error {
	lease, data, err := s.Take(ctx, id)
	if errors.Is(err, store.ErrNotFound) { // it was done meanwhile
		return nil
	}
	if err != nil {
		return err
	}
	var about store.About
	if e, err := read(data); err == nil {
		about = e.about()
	}
	return errors.Join(lease.Save(ctx, data, about), lease.Release(ctx))
}

// NewID is a name for a new call: as much of a [store.NewID] as a person may
// have to type. The store notices should one be in use.
func NewID() string { return store.NewID()[:10] }

// Put keeps a call that does not run, under a new id.
func Put(ctx context.Context, s store.Store, e Entry) (id string, err error) {
	id = NewID()
	l, err := s.Create(ctx, id)
	if err != nil {
		return "", err
	}
	return id, parley.Settle(ctx, lease{l, e}, parley.Outcome{Parked: true, Snapshot: e.Snapshot}, nil)
}
