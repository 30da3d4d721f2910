package modern

import (
	"context"
	"fmt"
	"slices"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/rawjson"
)

// listener is a subscriptions/listen request of a client's.
//
// Source: MCP 2026-07-28, basic/patterns/subscriptions.
type listener struct {
	sink    message.Sink
	id      []byte
	methods []string // of notifications
	uris    []string // of resources
}

const maxURIs = 1000

// listen passes on what changes at a server of an earlier era, until the client
// goes or the bridge stops. It subscribes to the resources and tells which it could.
func (s *Service) listen(ctx context.Context, conn *connection, r *request) (result, fault []byte) {
	said, err := conn.Ready(ctx)
	if err != nil {
		return nil, s.failure(conn, r.Method, err)
	}
	l := &listener{sink: r.sink, id: r.ID}
	wanted := message.Get(r.Params, "notifications")
	honoured := []byte("{}")
	for _, kind := range []string{"tools", "prompts", "resources"} {
		if message.IsTrue(wanted, kind+"ListChanged") && message.IsTrue(said.Capabilities, kind, "listChanged") {
			l.methods = append(l.methods, "notifications/"+kind+"/list_changed")
			honoured = message.With(honoured, kind+"ListChanged", []byte("true"))
		}
	}
	if uris := textsOf(message.Get(wanted, "resourceSubscriptions")); len(uris) > 0 && message.IsTrue(said.Capabilities, "resources", "subscribe") {
		if len(uris) > maxURIs {
			return nil, message.Error(message.InvalidParams, fmt.Sprintf("at most %d resources can be watched by one request", maxURIs), nil)
		}
		list := []byte{'['}
		for _, uri := range uris {
			if s.watch(ctx, conn, "resources/subscribe", uri) != nil {
				continue
			}
			l.uris = append(l.uris, uri)
			if len(list) > 1 {
				list = append(list, ',')
			}
			list = append(list, message.Quote(uri)...)
		}
		honoured = message.With(honoured, "resourceSubscriptions", append(list, ']'))
	}
	l.send("notifications/subscriptions/acknowledged", message.With(nil, "notifications", honoured))
	s.pool.listen(conn, l, true)
	select {
	case <-ctx.Done():
	case <-s.opts.Server.Stopped():
	}
	for _, uri := range s.pool.listen(conn, l, false) {
		s.watch(context.WithoutCancel(ctx), conn, "resources/unsubscribe", uri)
	}
	return nil, nil
}

func (s *Service) watch(ctx context.Context, conn *connection, method, uri string) error {
	_, err := conn.Call(ctx, s.nextName(), parley.Request{Method: method, Params: message.With(nil, "uri", message.Quote(uri))})
	return err
}

// listen adds or removes a listener, and returns the resources that nobody
// listens for any more.
func (p *pool) listen(conn *connection, l *listener, on bool) (unused []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if on {
		conn.listeners[l] = true
		return nil
	}
	delete(conn.listeners, l)
	for _, uri := range l.uris {
		used := false
		for other := range conn.listeners {
			used = used || slices.Contains(other.uris, uri)
		}
		if !used {
			unused = append(unused, uri)
		}
	}
	return unused
}

// tell passes a notification on, if it was asked for.
func (l *listener) tell(method string, params []byte) {
	if slices.Contains(l.methods, method) ||
		method == "notifications/resources/updated" && slices.Contains(l.uris, message.Text(params, "uri")) {
		l.send(method, params)
	}
}

// send marks a notification with the subscription, which is the request's id.
func (l *listener) send(method string, params []byte) {
	meta := message.With(message.Get(params, "_meta"), metaPrefix+"subscriptionId", l.id)
	l.sink.Send(message.Notification(method, message.With(params, "_meta", meta)))
}

// textsOf are the strings of an array.
func textsOf(array []byte) (texts []string) {
	if !rawjson.IsArray(array) {
		return nil
	}
	var e rawjson.Elements
	for e.Start(array); e.Next(); {
		if text, ok := rawjson.Unquote(e.Value); ok && rawjson.IsString(e.Value) {
			texts = append(texts, text)
		}
	}
	return texts
}
