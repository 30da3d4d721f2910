package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/legacy"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/modern"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/signin"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/hosts/go/serve"
)

// serveHTTP serves clients over Streamable HTTP until ctx ends.
func (c *command) serveHTTP(ctx context.Context, server *upstream.Server, log *slog.Logger, stdout io.Writer) error {
	access := &access{origins: c.origins, hosts: c.hosts}
	if c.users != "" {
		var err error
		if access.users, err = readUsers(c.users); err != nil {
			return err
		}
	}
	addr := c.listen
	if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("--listen %s: %w: choose another port, or have a free one chosen with --listen 127.0.0.1:0", c.listen, err)
	}
	access.loopback = l.Addr().(*net.TCPAddr).IP.IsLoopback()
	if !access.loopback && access.users == nil {
		l.Close()
		return errors.New("--listen is an address that others can reach: say with --users who may call")
	}
	desk, err := c.desk(c.baseOf(l.Addr().(*net.TCPAddr)), access.users, log)
	if err != nil {
		l.Close()
		return err
	}
	server.Desk = desk
	bound := &memory.Bound{Bytes: c.share(c.maxMemory << 20)}
	service, err := modern.New(c.modernOptions(server, log, bound))
	if err != nil {
		return err
	}
	sessions := &legacy.Sessions{Options: c.legacyOptions(server, log, bound), Share: c.share(c.maxSessions), Idle: c.idle}
	web := &serve.Server{Limits: c.limits(), Stopping: func() { server.Stop(); sessions.Stop() }}
	user := func(r *http.Request) string { return userOf(r.Context()) }
	mux := http.NewServeMux()
	if desk != nil {
		defer desk.Close()
		access.hosts = append(access.hosts, c.publicHost()...)
		mux.Handle(signin.Path, access.guardHost(desk))
	}
	at := &paths{mcp: access.guard(answered(bound, web.Limit(&endpoint{service: service, sessions: sessions, bound: bound}, user))), rest: mux}
	fmt.Fprintf(stdout, "listening on http://%s%s\n", l.Addr(), endpointPath)
	err = web.Serve(ctx, l, at)
	sessions.Close() // what waits for the server still is over
	service.Close()
	return err
}

func (c *command) legacyOptions(server *upstream.Server, log *slog.Logger, bound *memory.Bound) legacy.Options {
	return legacy.Options{Server: server, Log: log, Heartbeat: c.heartbeat, Memory: bound}
}

func (c *command) modernOptions(server *upstream.Server, log *slog.Logger, bound *memory.Bound) modern.Options {
	return modern.Options{
		Server: server, Log: log, Hold: c.hold, Held: c.share(c.maxHeld), Conns: c.share(c.maxSessions), Idle: c.idle, Memory: bound,
	}
}

const endpointPath = "/mcp"

// paths sends requests whose path is nearly the endpoint's to the endpoint: there is no other.
type paths struct{ mcp, rest http.Handler }

// ServeHTTP implements [http.Handler].
func (p *paths) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.EqualFold(path.Clean("/"+r.URL.Path), endpointPath) {
		p.mcp.ServeHTTP(w, r)
		return
	}
	p.rest.ServeHTTP(w, r)
}

// endpoint is the one URL, for clients of either era.
type endpoint struct {
	service  *modern.Service
	sessions *legacy.Sessions
	bound    *memory.Bound
}

// ServeHTTP implements [http.Handler].
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user := userOf(r.Context())
	switch r.Method {
	case http.MethodGet:
		e.sessions.Get(w, r, user)
	case http.MethodDelete:
		e.sessions.Delete(w, r, user)
	case http.MethodPost:
		e.post(w, r, user)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		http.Error(w, "there is GET, POST and DELETE", http.StatusMethodNotAllowed)
	}
}

func (e *endpoint) post(w http.ResponseWriter, r *http.Request, user string) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "the message cannot be read", http.StatusBadRequest)
		return
	}
	messages, err := message.Parse(body)
	if err == nil && len(messages) == 0 {
		err = errors.New("there is no message")
	}
	if err != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		w.Write(message.Refusal(message.IDsOf(body), message.Error(message.ParseError, err.Error(), nil)))
		return
	}
	begins := slices.ContainsFunc(messages, func(m message.Message) bool { return m.IsRequest() })
	if full := e.bound.Full(user); begins && full != nil {
		refuseFull(w, full)
		return
	}
	held, _ := r.Context().Value(heldKey{}).(*memory.Lease)
	for i := range messages {
		messages[i].Held = held
	}
	version := r.Header.Get("MCP-Protocol-Version")
	inSession := r.Header.Get("Mcp-Session-Id") != "" || messages[0].Method == "initialize" || len(messages) > 1
	if inSession || !isModern(messages[0]) && (version == "" || legacy.IsVersion(version)) {
		e.sessions.Post(w, r, messages, user)
		return
	}
	e.service.Post(w, r, messages[0], user)
}

// refuseFull says that there is no room in memory.
func refuseFull(w http.ResponseWriter, full error) {
	http.Error(w, memory.Text(full), serve.SetRefusal(w.Header(), full))
}

type userKey struct{}

// userOf is who makes a request, "" without authentication.
func userOf(ctx context.Context) string {
	user, _ := ctx.Value(userKey{}).(string)
	return user
}
