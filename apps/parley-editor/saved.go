package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/rawjson"
)

// openStore is where calls are kept, sealed with the key of a file, which is
// there or it is an error. It is nil where nothing is to be kept.
func openStore(dir, keyFile string) (*parley.FileStore, error) {
	if dir == "" {
		return nil, nil
	}
	box := &parley.KeyFileBox{Name: keyFile}
	if _, err := box.SealBytes(nil, nil); err != nil {
		return nil, errors.New(storeProblem(err) + " (parley-editor --new-key FILE makes one)")
	}
	store := &parley.FileStore{Dir: dir}
	store.Seal, store.Open = parley.SealSnapshots(box)
	return store, nil
}

// entry is what a file of the store holds: the engine's snapshot and, before
// it, what the engine does not know. apps/parley reads and writes the
// same, so that a call parked in one can be finished in the other.
type entry struct {
	server
	snapshot []byte // JSON, to be kept byte for byte
}

const entryStart = `{"parley":"parked",`

// with is the entry as JSON with a snapshot.
func (e entry) with(snapshot []byte) ([]byte, error) {
	head, err := json.Marshal(e.server)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(entryStart), head[1:len(head)-1], []byte(`,"snapshot":`), snapshot, []byte("}")), nil
}

var errForeign = errors.New("the file is not one that this version of Parley wrote")

func readEntry(data []byte) (e entry, err error) {
	if words(rawjson.Member(data, "parley")) != "parked" || json.Unmarshal(data, &e.server) != nil || e.server.complete() != nil {
		return e, errForeign
	}
	if e.snapshot = rawjson.Member(data, "snapshot"); e.snapshot == nil {
		return e, errForeign
	}
	return e, nil
}

// info is what the engine says of the snapshot.
func (e entry) info() (engine.Info, error) {
	flow, err := parley.Native{}.RestoreFlow(e.snapshot, engine.Expect{Peer: e.peer()})
	if err != nil {
		return engine.Info{}, err
	}
	defer flow.Close()
	return flow.Info()
}

// saved keeps a call in the store while it runs.
type saved struct {
	lease   *parley.Lease
	entry   entry
	endKeep context.CancelFunc
	broken  sync.Once
	tell    func(problem string)
}

// keepNew begins to keep a new call.
func (c *call) keepNew() error {
	if c.host.store == nil {
		return nil
	}
	lease, err := c.host.store.Create(c.id)
	if err != nil {
		return fault(errors.New(storeProblem(err)))
	}
	c.keep(lease)
	return nil
}

// keep keeps a call in the store under a lease.
func (c *call) keep(lease *parley.Lease) {
	ctx, cancel := context.WithCancel(context.Background())
	go lease.Keep(ctx) // that it was lost, the next Save tells
	c.saved = &saved{lease: lease, entry: entry{server: c.server}, endKeep: cancel, tell: func(problem string) {
		c.host.log(c.server.Label, "warning", problem)
	}}
}

// save is a callback of the call. Only that somebody else has the call ends it:
// answers that are not saved can still be sent.
func (s *saved) save(_ context.Context, snapshot []byte) error {
	data, err := s.entry.with(snapshot)
	if err == nil {
		err = s.lease.Save(data)
	}
	if err == nil || errors.Is(err, parley.ErrTaken) {
		return err
	}
	s.broken.Do(func() { s.tell("the call goes on, but is not kept: " + storeProblem(err)) })
	return nil
}

// leave gives the call back to the store, with a snapshot if there is a newer
// one.
func (s *saved) leave(snapshot []byte) error {
	defer s.endKeep()
	var err error
	if snapshot != nil {
		s.entry.snapshot = snapshot
		var data []byte
		if data, err = s.entry.with(snapshot); err == nil {
			err = s.lease.Save(data)
		}
	}
	return errors.Join(err, s.lease.Release())
}

// forget takes the call out of the store.
func (s *saved) forget() error {
	defer s.endKeep()
	return s.lease.Done()
}
