package main

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pages are what URL questions lead to. They have a listener of their own, so
// that a server over stdio has them too; fetching one is what a person does
// there.
type pages struct {
	base string

	mu      sync.Mutex
	visited map[string]chan struct{} // closed by the visit
}

func openPages() (*pages, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &pages{base: "http://" + l.Addr().String() + "/", visited: map[string]chan struct{}{}}
	go http.Serve(l, p)
	return p, nil
}

func (p *pages) add() (id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id = rand.Text()
	p.visited[id] = make(chan struct{})
	return id
}

func (p *pages) url(id string) string { return p.base + id }

// wait reports whether the page is visited within a time.
func (p *pages) wait(ctx context.Context, id string, most time.Duration) bool {
	p.mu.Lock()
	visited := p.visited[id]
	p.mu.Unlock()
	if visited == nil {
		return false
	}
	select { // a visit that was before counts even if no time is left
	case <-visited:
		return true
	default:
	}
	select {
	case <-visited:
		return true
	case <-ctx.Done():
	case <-time.After(most):
	}
	return false
}

func (p *pages) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	visited := p.visited[req.URL.Path[1:]]
	if visited == nil {
		http.NotFound(w, req)
		return
	}
	select {
	case <-visited:
	default:
		close(visited)
	}
	w.Write([]byte("Thank you.\n"))
}

func openPage(ctx context.Context, r *round) (reply, error) {
	_, no, asked := r.elicited("page")
	id := r.state
	switch {
	case no != "":
		return reply{text: no}, nil
	case !asked:
		id = r.pages.add()
	case r.pages.wait(ctx, id, 0):
		return reply{text: "visited"}, nil
	}
	question := &mcp.ElicitParams{Mode: "url", Message: "Please open the page.", URL: r.pages.url(id)}
	return reply{ask: mcp.InputRequestMap{"page": question}, state: id}, nil
}

func requirePage(ctx context.Context, r *round) (reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id, open := r.required[r.session.ID()]
	switch {
	case open && r.pages.wait(ctx, id, 0):
		delete(r.required, r.session.ID())
		return reply{text: "visited"}, nil
	case !open:
		id = r.pages.add()
		r.required[r.session.ID()] = id
		session := r.session
		go func() {
			if ctx := context.Background(); r.pages.wait(ctx, id, patience) {
				session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: id})
			}
		}()
	}
	return reply{}, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{
		{Mode: "url", ElicitationID: id, Message: "Please open the page.", URL: r.pages.url(id)},
	})
}
