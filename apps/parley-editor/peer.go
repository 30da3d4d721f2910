package main

import (
	"context"
	"sync"

	parley "github.com/parley-mcp/parley/hosts/go"
)

// peer is a server that is connected: from the first request to it until
// disconnect or the end, as editors keep language servers.
type peer struct {
	*parley.Session
	server  server
	leaving bool // it is being disconnected; the lock of calls
}

// peers are the servers that are connected.
type peers struct {
	mu   sync.Mutex
	open map[string]*peer
}

// connect returns the session with a server, and makes it if there is none.
func (h *host) connect(s server) (*peer, error) {
	h.peers.mu.Lock()
	defer h.peers.mu.Unlock()
	if p := h.peers.open[s.peer()]; p != nil {
		return p, nil
	}
	if len(h.peers.open) == maxPeers {
		return nil, wrong("%d servers are connected already: disconnect one", maxPeers)
	}
	p := &peer{server: s}
	log := &serverLog{tell: func(text string) { h.log(s.Label, "stderr", text) }}
	var err error
	p.Session, err = parley.NewSession(h.engine, s.transport(log), parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "parley-editor", Title: "Parley in an editor", Version: version()},
		Callbacks:  (&call{host: h}).callbacks(), // what servers are told of; every call has its own
		LogLevel:   h.editor.Load().LogLevel,
		OnNotification: func(method string, params []byte) {
			if method == "notifications/message" {
				h.log(s.Label, "", logMessage(params))
			}
		},
		OnWarning: func(text string) { h.log(s.Label, "warning", text) },
	})
	if err != nil {
		return nil, fault(err)
	}
	h.peers.open[s.peer()] = p
	return p, nil
}

type disconnectParams struct {
	Server server `json:"server"`
}

// disconnect ends the session with a server when its calls have ended, as they
// do when the editor is gone.
func (h *host) disconnect(_ context.Context, params *disconnectParams) (any, error) {
	if err := params.Server.complete(); err != nil {
		return nil, err
	}
	h.peers.mu.Lock()
	p := h.peers.open[params.Server.peer()]
	delete(h.peers.open, params.Server.peer())
	h.peers.mu.Unlock()
	if p == nil {
		return nil, nil
	}
	h.calls.endAll(p)
	return nil, fault(p.Close())
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
