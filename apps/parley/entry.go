package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/jsontext"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// entry is what a file of the store holds: the engine's snapshot and, before
// it, what the engine does not know. A call that is gone on with has all of it
// unless a flag says otherwise.
type entry struct {
	server
	Label         string            `json:"label"`
	SampleCommand []string          `json:"sampleCommand,omitempty"`
	SampleModel   string            `json:"sampleModel,omitempty"`
	Roots         []json.RawMessage `json:"roots,omitempty"`

	snapshot []byte // JSON, to be kept byte for byte
}

const entryStart = `{"parley":"parked",`

func (c *command) entry(roots []json.RawMessage) entry {
	e := entry{server: c.server, Label: c.label, Roots: roots}
	if c.model != nil {
		e.SampleCommand, e.SampleModel = c.model.Words, c.model.Model
	}
	return e
}

// with is the entry as JSON with a snapshot.
func (e entry) with(snapshot []byte) ([]byte, error) {
	head, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(entryStart), head[1:len(head)-1], []byte(`,"snapshot":`), snapshot, []byte("}")), nil
}

var errForeign = errors.New("the file is not one that this version of parley wrote")

func readEntry(data []byte) (e entry, err error) {
	if jsontext.Text(jsontext.Get(data, "parley")) != "parked" || json.Unmarshal(data, &e) != nil || e.URL == "" && len(e.Command) == 0 {
		return e, errForeign
	}
	if e.snapshot = jsontext.Get(data, "snapshot"); e.snapshot == nil {
		return e, errForeign
	}
	return e, nil
}

// take takes a call out of the store and reads it.
func (c *command) take() (lease *parley.Lease, e entry, info engine.Info, err error) {
	store, _, err := c.store()
	if err != nil {
		return nil, e, info, err
	}
	lease, data, err := store.Take(c.id)
	if err != nil {
		return nil, e, info, err
	}
	if e, err = readEntry(data); err == nil {
		info, err = describedBy(e.snapshot, engine.Expect{Peer: e.peer()})
	}
	if err != nil {
		lease.Release()
		err = fmt.Errorf("call %s cannot be gone on with: %w", c.id, err)
	}
	return lease, e, info, err
}

// describedBy is what the engine says of a snapshot.
func describedBy(snapshot []byte, expect engine.Expect) (engine.Info, error) {
	flow, err := parley.Native{}.RestoreFlow(snapshot, expect)
	if err != nil {
		return engine.Info{}, err
	}
	defer flow.Close()
	return flow.Info()
}

// subject is what a request is about, in words.
func subject(method string, params []byte) string {
	name, member := map[string]string{"tools/call": "tool", "prompts/get": "prompt", "resources/read": "resource"}[method], "name"
	if name == "" {
		return fmt.Sprintf("the request %s", plain.Line(method, mostKey))
	}
	if name == "resource" {
		member = "uri"
	}
	return "the " + name + " " + plain.Line(jsontext.Text(jsontext.Get(params, member)), 200)
}
