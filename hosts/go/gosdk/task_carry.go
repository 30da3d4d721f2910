package gosdk

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/rawjson"
)

// Handler wraps the HTTP handler of a server, and [Tasks.Transport] its other
// transports, because the SDK drops what it does not know of a request's params:
// by whom a task is listened to, and with [TaskOptions].Page which call asks to
// be one. Without it clients poll, and all tasks are the extension's.
//
// A client that subscribes with taskIds gets notifications/tasks of those that
// are its own: how each stands at once, and whatever changes. (The SDK's response
// has to be an event stream, as it is for all subscriptions.)
//
// A call of the page's form may ask in rounds first. It is answered with
// {"task":{…}}, and then tasks/get has the status alone; tasks/result waits for
// the result or for questions, which tasks/input_response answers. The time to
// live is the server's, whatever the call says. A client that declares
// [TasksExtension] has the extension's tasks: there, the member means nothing.
//
// Source: ext-tasks 2026-07-28, Task Status Notifications; SEP-2322, Persistent
// Tool Workflow.
func (t *Tasks) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.Body == nil {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body) // as the SDK does
		if err != nil {
			http.Error(w, "the request cannot be read", http.StatusBadRequest)
			return
		}
		body = carryExact(body)
		method, _ := rawjson.Unquote(rawjson.Member(body, "method"))
		if params := rawjson.Member(body, "params"); params != nil {
			out := &listeningWriter{ResponseWriter: w}
			carried, l := t.carry(method, params, rawjson.Member(body, "id"), out.tell)
			if l != nil {
				defer t.forget(l)
				defer out.close()
				out.listener, w = l, out
			}
			body = replaced(body, "params", carried)
		}
		next.ServeHTTP(w, withBody(r, body))
	})
}

// carry has a request's params carry in their metadata what the SDK drops.
func (t *Tasks) carry(method string, params, id []byte, tell func(method string, params []byte)) ([]byte, *listener) {
	switch method {
	case "tools/call":
		return carryTask(params), nil
	case "subscriptions/listen":
		var ids []string
		if json.Unmarshal(rawjson.Member(rawjson.Member(params, "notifications"), "taskIds"), &ids) == nil && len(ids) > 0 {
			l := t.listen(ids, id, tell)
			return withMeta(params, listenMeta, rawjson.AppendQuoted(nil, l.key)), l
		}
	}
	return params, nil
}

// listeningWriter is a stream of events that others write to as well. The SDK
// writes an event at a time.
type listeningWriter struct {
	http.ResponseWriter
	listener *listener

	mu     sync.Mutex
	closed bool
}

func (w *listeningWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *listeningWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	const data = "data: "
	out, acknowledged := p, false
	if i := bytes.Index(p, []byte(data)); i >= 0 {
		body := bytes.TrimRight(p[i+len(data):], "\n")
		if rawjson.Is(rawjson.Member(body, "method"), acknowledgedMethod) {
			body, acknowledged = replaced(body, "params", w.listener.acknowledge(rawjson.Member(body, "params"))), true
			out = append(append(bytes.Clone(p[:i+len(data)]), body...), "\n\n"...)
		}
	}
	if _, err := w.ResponseWriter.Write(out); err != nil {
		return 0, err
	}
	if acknowledged {
		w.listener.open()
	}
	return len(p), nil
}

// FlushError is for [http.ResponseController].
func (w *listeningWriter) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

func (w *listeningWriter) tell(method string, params []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	event := append(append([]byte("event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\""+method+"\",\"params\":"), params...), "}\n\n"...)
	if _, err := w.ResponseWriter.Write(event); err == nil {
		http.NewResponseController(w.ResponseWriter).Flush()
	}
}

// close is called before the response ends.
func (w *listeningWriter) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
}

// Transport does for a transport what [Tasks.Handler] does for HTTP: give the
// server's Run or Connect what it returns.
func (t *Tasks) Transport(inner mcp.Transport) mcp.Transport { return &taskTransport{inner, t} }

type taskTransport struct {
	mcp.Transport
	tasks *Tasks
}

func (t *taskTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	inner, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &taskConnection{Connection: inner, tasks: t.tasks, listeners: map[string]*listener{}}, nil
}

type taskConnection struct {
	mcp.Connection
	tasks *Tasks

	mu        sync.Mutex
	listeners map[string]*listener // by the request's id, as JSON
}

func (c *taskConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	exactMessage(m)
	if r, ok := m.(*jsonrpc.Request); ok && r.Params != nil {
		id, _ := json.Marshal(r.ID.Raw())
		var l *listener
		r.Params, l = c.tasks.carry(r.Method, r.Params, id, c.tell)
		if l != nil {
			c.mu.Lock()
			c.listeners[string(id)] = l
			c.mu.Unlock()
		}
	}
	return m, err
}

func (c *taskConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	switch m := m.(type) {
	case *jsonrpc.Request:
		if m.Method == acknowledgedMethod {
			id := rawjson.Member(rawjson.Member(m.Params, "_meta"), subscriptionID)
			c.mu.Lock()
			l := c.listeners[string(id)]
			c.mu.Unlock()
			if l != nil {
				told := *m
				told.Params = l.acknowledge(m.Params)
				defer l.open()
				return c.Connection.Write(ctx, &told)
			}
		}
	case *jsonrpc.Response: // to that request, at the latest
		id, _ := json.Marshal(m.ID.Raw())
		c.mu.Lock()
		if l := c.listeners[string(id)]; l != nil {
			delete(c.listeners, string(id))
			c.tasks.forget(l)
		}
		c.mu.Unlock()
	}
	return c.Connection.Write(ctx, m)
}

func (c *taskConnection) tell(method string, params []byte) {
	if err := c.Connection.Write(context.Background(), &jsonrpc.Request{Method: method, Params: params}); err != nil {
		c.tasks.o.Logger.Debug("a client is not told of its task", "cause", err)
	}
}

// withMeta is params with one more member in their metadata.
func withMeta(params []byte, name string, value []byte) []byte {
	meta := rawjson.Member(params, "_meta")
	if !rawjson.IsObject(meta) {
		meta = []byte("{}")
	}
	return replaced(params, "_meta", replaced(meta, name, value))
}

// replaced is an object with another value of a member, every other byte as it
// was.
func replaced(object []byte, name string, value []byte) []byte {
	out, found := []byte{'{'}, false
	put := func(name, value []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	var m rawjson.Members
	for m.Start(object); m.Next(); {
		if m.Is(name) {
			found = true
			put(m.Name, value)
		} else {
			put(m.Name, m.Value)
		}
	}
	if m.Err != nil {
		return object // the SDK says what is wrong with it
	}
	if !found {
		put([]byte(`"`+name+`"`), value)
	}
	return append(out, '}')
}
