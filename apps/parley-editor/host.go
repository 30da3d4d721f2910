package main

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// protocol is the version of the protocol in README.md.
const protocol = 1

const (
	maxCalls = 64 // that run at the same time
	maxPeers = 32 // servers that are connected at the same time
)

// host serves one editor.
type host struct {
	requests
	engine parley.Engine
	store  store.Store // nil if nothing is kept

	accounts oauth.Store
	stateDir string // where they are kept, "" if nowhere
	stop     func()

	editor atomic.Pointer[initializeParams] // nil until it has said
	peers  peers
	calls  calls
	asks   sync.Map // those that are open, by id
	forms  forms
}

func newHost(engine parley.Engine, calls store.Store, stateDir string) *host {
	h := &host{engine: engine, store: calls, accounts: accountStore(stateDir), stateDir: stateDir}
	h.peers.open, h.calls.running, h.calls.requests = map[string]*peer{}, map[string]*call{}, map[string]*call{}
	h.methods = map[string]method{
		"initialize": with(h.initialize),
		"tools":      with(ready(h, h.tools)),
		"call":       with(ready(h, h.call)),
		"resume":     with(ready(h, h.resume)),
		"answer":     with(ready(h, h.answer)),
		"validate":   with(ready(h, h.validate)),
		"cancel":     with(ready(h, h.cancel)),
		"park":       with(ready(h, h.park)),
		"parked":     with(ready(h, h.parked)),
		"discard":    with(ready(h, h.discard)),
		"login":      with(ready(h, h.login)),
		"logout":     with(ready(h, h.logout)),
		"accounts":   with(ready(h, h.listAccounts)),
		"disconnect": with(ready(h, h.disconnect)),
	}
	h.notices = map[string]method{"$/cancelRequest": with(h.cancelRequest), "exit": with(h.exit)}
	return h
}

// serve runs until the editor is gone or ctx ends, and leaves nothing running.
func (h *host) serve(ctx context.Context, ch *frames) error {
	h.stop = ch.end
	defer context.AfterFunc(ctx, ch.end)()
	err := h.requests.serve(ch)
	h.peers.close()
	return err
}

// ready is a method that the editor may use once it has said what it can do.
func ready[P, R any](h *host, do func(context.Context, *P) (R, error)) func(context.Context, *P) (R, error) {
	return func(ctx context.Context, p *P) (R, error) {
		if h.editor.Load() == nil {
			var none R
			return none, &jsonrpc2.Error{Code: codeUninitialized, Message: "initialize comes first"}
		}
		return do(ctx, p)
	}
}

// exit ends the process. The editor need not wait for it.
func (h *host) exit(context.Context, *struct{}) (any, error) {
	h.stop()
	return nil, nil
}
