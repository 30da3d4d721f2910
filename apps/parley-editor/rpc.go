package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// Codes of errors that are not JSON-RPC's own.
const (
	codeServer        = -32000 // the MCP server cannot be reached, or answers with an error
	codeAnswer        = -32001 // an answer does not fit its form; the error's data lists what is wrong
	codeUninitialized = -32002 // as in the LSP
)

// busy is how many requests of the editor are worked on at the same time: with
// every call waiting for a person there is room for their answers.
const busy = 2 * maxCalls

// method does what a request or a notification asks for.
type method func(ctx context.Context, params json.RawMessage) (any, error)

// requests is the connection with the editor.
type requests struct {
	conn    *jsonrpc2.Conn
	methods map[string]method
	notices map[string]method // of notifications, which must not take long
	running sync.WaitGroup
	slots   chan struct{}
}

// serve answers requests until the editor hangs up, and returns when the last
// answer is given. The contexts of methods end when the editor is gone.
func (r *requests) serve(ch *frames) error {
	r.slots = make(chan struct{}, busy)
	life, end := context.WithCancel(context.Background())
	defer end()
	started := make(chan struct{})
	handler := handlerFunc(func(req *jsonrpc2.Request) {
		<-started // there is a connection to answer by
		r.handle(life, req)
	})
	// What it has to complain of is a peer that answers what was not asked.
	r.conn = jsonrpc2.NewConn(context.Background(), ch, handler, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	close(started)
	<-r.conn.DisconnectNotify()
	end()
	r.running.Wait()
	return ch.why()
}

type handlerFunc func(*jsonrpc2.Request)

// Handle implements [jsonrpc2.Handler].
func (f handlerFunc) Handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) { f(req) }

// handle begins to work on a request. Notifications are worked on in their
// order, and at once.
func (r *requests) handle(life context.Context, req *jsonrpc2.Request) {
	var params json.RawMessage
	if req.Params != nil {
		params = *req.Params
	}
	if req.Notif {
		if do := r.notices[req.Method]; do != nil {
			do(life, params) // there is nobody to be told of an error
		}
		return
	}
	do := r.methods[req.Method]
	if do == nil {
		r.reply(req.ID, nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no such method"})
		return
	}
	select {
	case r.slots <- struct{}{}:
	default:
		r.reply(req.ID, nil, wrong("%d requests are under way already", busy))
		return
	}
	r.running.Go(func() {
		defer func() { <-r.slots }()
		result, err := do(context.WithValue(life, idKey{}, req.ID.String()), params)
		r.reply(req.ID, result, err)
	})
}

type idKey struct{}

// requestID is the id of the request that ctx is of, as JSON text.
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(idKey{}).(string)
	return id
}

// reply answers a request. An editor that is gone needs no answer.
func (r *requests) reply(id jsonrpc2.ID, result any, err error) {
	response := &jsonrpc2.Response{ID: id}
	if err == nil {
		err = response.SetResult(result)
	}
	if err != nil {
		errors.As(rpcFault(err), &response.Error)
	}
	r.conn.SendResponse(context.Background(), response)
}

// tell sends a notification to the editor.
func (r *requests) tell(method string, params any) {
	r.conn.Notify(context.Background(), method, params)
}

// request sends a request to the editor and waits for its reply.
func (r *requests) request(ctx context.Context, method string, params any) error {
	return r.conn.Call(ctx, method, params, nil)
}

// with makes a method of a function that takes its params as a struct.
func with[P, R any](do func(ctx context.Context, p *P) (R, error)) method {
	return func(ctx context.Context, params json.RawMessage) (any, error) {
		p := new(P)
		if len(params) > 0 && json.Unmarshal(params, p) != nil {
			return nil, wrong("the params are not what README.md says of this method")
		}
		return do(ctx, p)
	}
}

// wrong is what is wrong with the editor's request.
func wrong(format string, args ...any) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// rpcFault makes of an error of this program's or of the store's one of the
// protocol's, unless it is one.
func rpcFault(err error) error {
	var already *jsonrpc2.Error
	if err == nil || errors.As(err, &already) {
		return err
	}
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
}
