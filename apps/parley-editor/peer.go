package main

import (
	"context"
	"sync"

	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// peer is a server that is connected: from the first request to it until
// disconnect or the end, as editors keep language servers.
type peer struct {
	*parley.Session
	server  server.Server
	access  *account.Access
	log     *display.Lines
	leaving bool // it is being disconnected; the lock of calls
}

// Close ends the session.
func (p *peer) Close() error {
	defer p.log.End()
	return p.Session.Close()
}

// peers are the servers that are connected.
type peers struct {
	mu   sync.Mutex
	open map[string]*peer
}

// connect returns the session with a server, and makes it if there is none.
func (h *host) connect(s server.Server) (*peer, error) {
	h.peers.mu.Lock()
	defer h.peers.mu.Unlock()
	if p := h.peers.open[s.Peer()]; p != nil {
		return p, nil
	}
	if len(h.peers.open) == maxPeers {
		return nil, wrong("%d servers are connected already: disconnect one", maxPeers)
	}
	p := &peer{server: s, log: &display.Lines{Tell: func(text string) { h.log(s.Label, "stderr", text) }}}
	var err error
	if p.access, err = account.New(&s, account.Means{}, h.accounts, person()); err != nil {
		return nil, rpcFault(err)
	}
	p.Session, err = parley.NewSession(h.engine, p.access.Transport(&s, nil, p.log), parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "parley-editor", Title: "Parley in an editor", Version: system.Version()},
		Askers:     *h.outside(s, p.access, "the list of its tools").askers(), // what servers are told of; every call has its own
		LogLevel:   h.editor.Load().LogLevel,
		Dialect:    s.Dialect, Versions: s.Versions,
		Watchers: parley.SessionWatchers{
			OnNotification: func(method string, params []byte) {
				if method == "notifications/message" {
					h.log(s.Label, "", display.Log(params))
				}
			},
			OnWarning: func(text string) { h.log(s.Label, "warning", text) },
		},
	})
	if err != nil {
		return nil, rpcFault(err)
	}
	h.peers.open[s.Peer()] = p
	return p, nil
}

type disconnectParams struct {
	Server server.Server `json:"server"`
}

// disconnect ends the session with a server when its calls have ended, as they
// do when the editor is gone.
func (h *host) disconnect(_ context.Context, params *disconnectParams) (any, error) {
	if err := complete(&params.Server); err != nil {
		return nil, err
	}
	h.peers.mu.Lock()
	p := h.peers.open[params.Server.Peer()]
	delete(h.peers.open, params.Server.Peer())
	h.peers.mu.Unlock()
	if p == nil {
		return nil, nil
	}
	h.calls.endAll(p)
	return nil, rpcFault(p.Close())
}

// close ends all sessions at the same time.
func (p *peers) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all sync.WaitGroup
	for key, one := range p.open {
		all.Go(func() { one.Close() })
		delete(p.open, key)
	}
	all.Wait()
}
