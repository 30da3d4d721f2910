package gosdk

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	acknowledgedMethod = "notifications/subscriptions/acknowledged"
	subscriptionID     = "io.modelcontextprotocol/subscriptionId"

	// listenMeta is where [Tasks.Handler] puts which listener a request is of.
	listenMeta = "parley/listen"
)

// listener is a client's request subscriptions/listen with taskIds.
type listener struct {
	key    string
	wanted []string
	id     json.RawMessage // of the request
	tell   func(method string, params []byte)

	granted []string      // before the request is acknowledged
	opened  chan struct{} // closed when it was
	once    sync.Once
}

func (t *Tasks) listen(ids []string, id []byte, tell func(method string, params []byte)) *listener {
	l := &listener{key: rand.Text(), wanted: ids, id: id, tell: tell, opened: make(chan struct{})}
	t.listeners.Store(l.key, l)
	return l
}

func (t *Tasks) forget(l *listener) { t.listeners.Delete(l.key) }

// acknowledge is the acknowledgment's params with the tasks that are granted.
func (l *listener) acknowledge(params []byte) []byte {
	if len(l.granted) == 0 {
		return params
	}
	var p map[string]json.RawMessage
	if json.Unmarshal(params, &p) != nil {
		return params
	}
	ids, _ := json.Marshal(l.granted)
	return replaced(params, "notifications", replaced(p["notifications"], "taskIds", ids))
}

// open lets the client be told: the acknowledgment is the first of all messages.
func (l *listener) open() { l.once.Do(func() { close(l.opened) }) }

func listenerKey(req mcp.Request) string {
	key, _ := req.GetParams().GetMeta()[listenMeta].(string)
	return key
}

// heard serves a request subscriptions/listen: until it ends, the client is told
// of the tasks that are its own.
func (t *Tasks) heard(ctx context.Context, req mcp.Request, serve func() (mcp.Result, error)) (mcp.Result, error) {
	found, ok := t.listeners.Load(listenerKey(req))
	if !ok || !taskCallerFrom(ctx).declares() {
		return serve()
	}
	l := found.(*listener)
	defer t.forget(l)
	for _, id := range l.wanted {
		if _, err := t.find(ctx, id); err == nil && len(l.granted) < maxQuestions {
			l.granted = append(l.granted, id)
		}
	}
	telling, stop := context.WithCancel(ctx)
	var watchers sync.WaitGroup
	for _, id := range l.granted {
		watchers.Go(func() { t.watch(telling, id, l) })
	}
	defer watchers.Wait()
	defer stop()
	res, err := serve()
	if err == nil && len(l.granted) > 0 {
		<-ctx.Done() // the SDK ends at once if there is nothing else
	}
	return res, err
}

// watch tells of a task until it is over.
func (t *Tasks) watch(ctx context.Context, id string, l *listener) {
	select {
	case <-l.opened:
	case <-ctx.Done():
		return
	}
	for version := uint64(0); ; {
		r, err := t.o.Store.Wait(ctx, id, version)
		if err != nil {
			return
		}
		version = r.Version
		if mayAsk(ctx, r) != nil {
			continue // tasks/get says what it has to declare
		}
		s := t.state(r)
		s.InputRequests, s.Result, s.Error, s.ResultType = r.Asked, r.Result, r.Error, ""
		s.Meta = mcp.Meta{subscriptionID: l.id}
		if params, err := json.Marshal(s); err == nil {
			l.tell("notifications/tasks", params)
		}
		if r.Status != taskWorking {
			return
		}
	}
}
