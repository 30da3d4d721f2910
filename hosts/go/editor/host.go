package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"

	"github.com/parley-mcp/parley/engine/form"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// protocol is the version of the protocol in README.md.
const protocol = 1

const (
	maxCalls = 64 // that run at the same time
	maxPeers = 32 // servers that are connected at the same time

	// busy is how many requests of the editor are worked on at the same time:
	// with every call waiting for a person there is room for their answers.
	busy = 2 * maxCalls
)

// codeUninitialized is the LSP's ServerNotInitialized.
const codeUninitialized jrpc2.Code = -32002

// host serves one editor.
type host struct {
	rpc    *jrpc2.Server
	engine parley.Engine
	store  *parley.FileStore // nil if nothing is kept

	editor editor
	peers  peers
	calls  calls
	asks   asks
	forms  forms
}

func newHost(engine parley.Engine, store *parley.FileStore) *host {
	h := &host{engine: engine, store: store}
	h.peers.open, h.calls.running, h.calls.requests = map[string]*peer{}, map[string]*call{}, map[string]*call{}
	h.asks.open, h.forms.known, h.forms.of = map[string]*ask{}, map[string]form.Schema{}, map[string][]string{}
	return h
}

// serve runs until the editor is gone or ctx ends, and leaves nothing running.
func (h *host) serve(ctx context.Context, ch *frames) error {
	h.rpc = jrpc2.NewServer(handler.Map{
		"initialize":      handler.New(h.initialize),
		"tools":           handler.New(ready(h, h.tools)),
		"call":            handler.New(ready(h, h.call)),
		"resume":          handler.New(ready(h, h.resume)),
		"answer":          handler.New(ready(h, h.answer)),
		"validate":        handler.New(ready(h, h.validate)),
		"cancel":          handler.New(ready(h, h.cancel)),
		"parked":          handler.New(ready(h, h.parked)),
		"discard":         handler.New(ready(h, h.discard)),
		"disconnect":      handler.New(ready(h, h.disconnect)),
		"$/cancelRequest": handler.New(h.cancelRequest),
		"exit":            handler.New(h.exit),
	}, &jrpc2.ServerOptions{AllowPush: true, DisableBuiltin: true, Concurrency: busy})
	h.rpc.Start(ch)
	defer context.AfterFunc(ctx, h.rpc.Stop)()
	status := h.rpc.WaitStatus() // for the calls too, which end with their requests
	h.peers.close()
	return status.Err
}

// ready is a method that the editor may use once it has said what it can do.
func ready[P, R any](h *host, method func(context.Context, P) (R, error)) func(context.Context, P) (R, error) {
	return func(ctx context.Context, p P) (R, error) {
		if !h.editor.known() {
			var none R
			return none, jrpc2.Errorf(codeUninitialized, "initialize comes first")
		}
		return method(ctx, p)
	}
}

// exit ends the process. The editor need not wait for it.
func (h *host) exit(context.Context) error {
	go h.rpc.Stop() // which waits for nobody, but this request is one to be ended
	return nil
}

// tell sends a notification to the editor. One that is gone needs none.
func (h *host) tell(method string, params any) { h.rpc.Notify(context.Background(), method, params) }

// wrong is what is wrong with the editor's request.
func wrong(format string, args ...any) error {
	return jrpc2.Errorf(jrpc2.InvalidParams, "%s", fmt.Sprintf(format, args...))
}

// fault makes of an error of this program's or of the store's one of the
// protocol's, unless it is one.
func fault(err error) error {
	var already *jrpc2.Error
	if err == nil || errors.As(err, &already) {
		return err
	}
	return jrpc2.Errorf(jrpc2.InternalError, "%s", err)
}
