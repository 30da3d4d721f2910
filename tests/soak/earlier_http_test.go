package soak_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// serveOld answers as Streamable HTTP of 2025-11-25 does.
func (h *hostile) serveOld(x *exchange, body []byte) {
	session := h.old.session(x.r.Header.Get("Mcp-Session-Id"))
	var message struct {
		ID            json.RawMessage
		Method        string
		Params        struct{ RequestID json.RawMessage }
		Result, Error json.RawMessage
	}
	json.Unmarshal(body, &message)
	x.id = string(message.ID)
	switch {
	case x.r.Method == http.MethodDelete:
		h.ledger.count("the session's own: DELETE")
		if session != nil {
			h.old.forget(session)
		}
		x.w.WriteHeader(http.StatusNoContent)
	case message.Method == "initialize":
		h.initialize(x)
	case x.r.Header.Get("Mcp-Session-Id") == "": // a request of a later era
		h.ledger.count("the session's own: later era")
		if x.IntN(2) == 0 {
			x.whole(400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}`)
		} else {
			x.whole(400, "no session\n")
		}
	case session == nil:
		x.whole(404, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
	case x.r.Method == http.MethodGet:
		h.serveListen(x, session)
	case message.Method == "notifications/initialized", message.Method == "server/discover":
		h.ledger.count("the session's own: " + message.Method)
		if x.befalls("own: ", faultsOwn, 50) {
			return
		}
		x.w.WriteHeader(http.StatusAccepted)
	case message.Method == "notifications/cancelled":
		session.cancel(string(message.Params.RequestID))
		x.w.WriteHeader(http.StatusAccepted)
	case message.Method == "":
		if x.befalls("reply before: ", faultsOwn, 20) {
			return
		}
		session.reply(x.id, message.Result, message.Error)
		if x.befalls("reply after: ", faultsOwn, 20) {
			return
		}
		x.w.WriteHeader(http.StatusAccepted)
	default:
		h.serveLeg(x, session, body)
	}
}

// faultsOwn befall messages that are no requests.
var faultsOwn = []fault{
	{"connection reset", 2, func(x *exchange) { reset(x.conn); panic(http.ErrAbortHandler) }},
	{"connection closed", 2, func(*exchange) { panic(http.ErrAbortHandler) }},
	{"500", 1, refuse(500, "")},
	{"a page", 1, refuse(200, "<html>")},
	{"hangs", 1, func(x *exchange) { x.hang(legTime / 2); panic(http.ErrAbortHandler) }},
}

func (h *hostile) initialize(x *exchange) {
	h.ledger.count("the session's own: initialize")
	if x.befalls("own: ", faultsOwn, 100) {
		return
	}
	x.w.Header().Set("Mcp-Session-Id", h.old.open().id)
	answer := `{"jsonrpc":"2.0","id":` + x.id + `,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}}`
	if x.IntN(2) == 0 {
		x.whole(200, answer)
	} else {
		x.stream([]byte("data: " + answer + "\n\n"))
	}
}

func (h *hostile) serveLeg(x *exchange, session *oldSession, body []byte) {
	if x.post = h.ledger.arrive(strings.TrimPrefix(x.r.URL.Path, "/"), body); x.post == nil {
		panic(http.ErrAbortHandler)
	}
	x.Rand = h.ledger.random(12, x.post.call.n, h.ledger.arrivals(x.post.call))
	if x.IntN(200) == 0 {
		h.ledger.count("sessions forgotten")
		h.old.forget(session)
		x.whole(404, "")
		return
	}
	if x.befalls("before: ", faultsBefore, 50) {
		return
	}
	run := session.start(x.post)
	if run == nil {
		panic(http.ErrAbortHandler)
	}
	if len(x.post.call.plan) == 0 && x.IntN(3) == 0 {
		answer := run.next(0, x.r.Context().Done())
		if answer != "" && !x.befalls("after: ", faultsAfter([]byte(answer)), 80) {
			x.whole(200, answer)
		}
		return
	}
	x.follow(session, run, 0)
}

// serveListen opens the stream that belongs to no request, or takes up one
// that does.
func (h *hostile) serveListen(x *exchange, session *oldSession) {
	last := x.r.Header.Get("Last-Event-Id")
	number, place, _ := strings.Cut(last, "_")
	at, err := strconv.Atoi(place)
	session.mu.Lock()
	run := session.streams[number]
	session.mu.Unlock()
	switch {
	case x.befalls("listen: ", faultsOwn, 50):
	case last != "" && (run == nil || err != nil):
		h.ledger.count("streams that are not known")
		x.whole(400, "no such event")
	case run != nil:
		h.ledger.count("streams taken up")
		x.Rand = h.ledger.random(14, run.post.call.n, int(run.taken.Add(1)))
		if x.IntN(3) > 0 { // from the one after, or that one again
			at++
		}
		x.follow(session, run, at)
	case x.IntN(3) == 0:
		x.w.WriteHeader(http.StatusMethodNotAllowed)
	default:
		x.w.Header().Set("Content-Type", "text/event-stream")
		x.w.WriteHeader(http.StatusOK)
		io.WriteString(x.w, "retry: 50\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n")
		io.WriteString(x.w, "data: {\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"ping\"}\n\n")
		x.w.(http.Flusher).Flush()
		select {
		case <-session.gone:
		case <-x.r.Context().Done():
		case <-time.After(time.Duration(x.IntN(3000)) * time.Millisecond):
		}
	}
}

// follow writes a run's events, from one place on, until they end or the
// connection does.
func (x *exchange) follow(session *oldSession, r *run, at int) {
	x.w.Header().Set("Content-Type", "text/event-stream")
	x.w.WriteHeader(http.StatusOK)
	named := x.post == nil || x.IntN(3) > 0 // events that have an id can be asked for again
	if named {
		fmt.Fprintf(x.w, "retry: %d\nid: %s_%d\ndata:\n\n", 5+x.IntN(30), r.number, at-1)
	}
	x.w.(http.Flusher).Flush()
	for at = max(at, 0); ; at++ {
		event := r.next(at, x.r.Context().Done())
		if event == "" {
			return
		}
		var text bytes.Buffer
		if x.IntN(5) == 0 {
			fmt.Fprintf(&text, `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"message":"call %d"}}`+"\n\n",
				r.post.id, at+1, r.post.call.n)
		}
		if x.IntN(10) == 0 {
			text.WriteString(`data: {"jsonrpc":"2.0","id":"ping","method":"ping"}` + "\n\n")
		}
		if named {
			fmt.Fprintf(&text, "id: %s_%d\n", r.number, at)
		}
		text.WriteString("data: " + event + "\n\n")
		if x.IntN(10) == 0 { // twice
			text.WriteString("data: " + event + "\n\n")
		}
		if x.IntN(25) == 0 {
			x.dribble(text.Bytes()[:x.IntN(text.Len())])
			x.ledger.count("streams broken")
			x.ledger.mu.Lock()
			r.post.call.note(x.ledger, "server: the stream of %s breaks at event %d, with ids: %v", r.post.id, at, named)
			x.ledger.mu.Unlock()
			if x.IntN(2) == 0 {
				reset(x.conn)
			}
			panic(http.ErrAbortHandler)
		}
		x.dribble(text.Bytes())
		if named && x.IntN(20) == 0 {
			return // the server closes it, as it may
		}
	}
}
