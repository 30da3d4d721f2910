package upstream

import (
	"context"
	"sync/atomic"

	"github.com/parley-mcp/parley/apps/shared-go/saved"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// keeping is a call that is kept in a store while it runs, so that it outlives
// the bridge: parley resumes it. A nil keeping is not.
type keeping struct {
	*saved.Call
	asked atomic.Bool // somebody was asked, so that there is something to be kept
	done  func()
}

// keep begins to keep a call that may ask, where calls are kept. A server of an
// earlier era waits for the answer in the very request, which no other process
// goes on with. A call that cannot be kept goes on without.
func (c *Conn) keep(ctx context.Context, r *parley.Request) *keeping {
	s := c.server
	if s.Calls == nil || r.Askers == nil || !c.IsModern() {
		return nil
	}
	switch r.Method {
	case "tools/call", "prompts/get", "resources/read":
	default:
		return nil
	}
	id := saved.NewID()
	lease, err := s.Calls.Create(ctx, id)
	if err != nil {
		s.Log.Warn("a call is not kept", "method", r.Method, "why", saved.Problem(err))
		return nil
	}
	s.keeping.Add(1)
	entry := saved.Entry{Server: s.Server, Owner: c.client.User}
	k := &keeping{Call: saved.Begin(id, lease, entry, func(problem string) { s.Log.Warn(problem, "method", r.Method) }), done: s.keeping.Done}
	r.Options.Peer, r.Save = s.Peer(), k.Save
	return k
}

// isAsked notes that somebody was asked.
func (k *keeping) isAsked() {
	if k != nil {
		k.asked.Store(true)
	}
}

// end leaves a call in the store that can go on and is worth it, unless its client
// canceled it, and returns what it is kept as, "" if it is not.
func (k *keeping) end(c *Conn, out parley.Outcome, err error, canceled bool) (id string) {
	if k == nil {
		return ""
	}
	defer k.done()
	kept, problem := k.End(out, err, canceled, k.asked.Load())
	switch {
	case problem != nil:
		c.server.Log.Warn("a call is not kept", "why", problem.Error())
	case kept:
		c.server.Log.Info("a call is kept: parley resume goes on with it", "call", k.ID, "run", c.server.Resume(k.ID))
		return k.ID
	}
	return ""
}
