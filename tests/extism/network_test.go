package extism_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// network is what a host's post and receive do over HTTP: an exchange has a
// goroutine of its own, and what comes of it waits in a queue.
type network struct {
	t      testing.TB
	url    string
	client *http.Client
	events chan []byte
	life   context.Context

	mu    sync.Mutex
	under map[float64]context.CancelFunc
	heads []string // what was posted: the HTTP method, or abort
}

func newNetwork(t testing.TB, url string) *network {
	n := &network{t: t, url: url, client: http.DefaultClient, events: make(chan []byte, 1000), under: map[float64]context.CancelFunc{}}
	n.life = t.Context()
	return n
}

func now() int64 { return time.Now().UnixMilli() }

// say queues an event for receive.
func (n *network) say(pairs ...any) { n.events <- object(append(pairs, "now", now())...) }

func (n *network) post(m map[string]any) []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	number, _ := m["exchange"].(float64)
	method := map[string]string{"post": "POST", "listen": "GET", "delete": "DELETE", "abort": "abort"}[m["type"].(string)]
	n.heads = append(n.heads, method)
	if method == "abort" {
		if cancel := n.under[number]; cancel != nil {
			cancel()
		}
		return object("now", now(), "type", "tick")
	}
	ctx, cancel := context.WithCancel(n.life)
	n.under[number] = cancel
	body, _ := m["body"].(string)
	request, err := http.NewRequestWithContext(ctx, method, n.url, strings.NewReader(body))
	if err != nil {
		n.t.Fatal(err)
	}
	for _, field := range m["headers"].([]any) {
		request.Header.Set(field.([]any)[0].(string), field.([]any)[1].(string))
	}
	answered := make(chan struct{})
	go n.perform(request, number, answered)
	if method == "GET" {
		select {
		case <-answered:
		case <-time.After(500 * time.Millisecond):
		}
	}
	return object("now", now(), "type", "tick")
}

func (n *network) perform(request *http.Request, number float64, answered chan<- struct{}) {
	response, err := n.client.Do(request)
	close(answered)
	if err != nil {
		n.say("type", "ended", "exchange", number, "reason", err.Error(), "unsent", errors.Is(err, syscall.ECONNREFUSED))
		return
	}
	defer response.Body.Close()
	about := func(kind string, more ...any) []any {
		more = append(more, "type", kind, "exchange", number, "status", response.StatusCode)
		if id := response.Header.Get("Mcp-Session-Id"); id != "" {
			more = append(more, "sessionId", id)
		}
		return more
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		text, err := io.ReadAll(response.Body)
		switch {
		case err != nil:
			n.say(about("ended", "reason", err.Error())...)
		case len(text) == 0:
			n.say(about("ended")...)
		default:
			n.say(about("message", "body", string(text), "last", true)...)
		}
		return
	}
	if request.Method == "GET" {
		n.say("type", "opened", "exchange", number)
	}
	lines, id := bufio.NewReader(response.Body), ""
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			n.say(about("ended")...)
			return
		} else if err != nil {
			n.say(about("ended", "reason", err.Error())...)
			return
		}
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch value = strings.TrimSpace(value); {
		case name == "id":
			id = value
		case name == "data" && value != "": // these servers send a message in one line
			n.say(about("message", "body", value, "eventId", id)...)
		}
	}
}

// receive waits for what comes next, until the time that it is told.
func (n *network) receive(m map[string]any) []byte {
	var late <-chan time.Time
	if until, ok := m["until"].(float64); ok {
		late = time.After(time.Until(time.UnixMilli(int64(until))))
	}
	select { // what is there is first
	case event := <-n.events:
		return event
	default:
	}
	select {
	case event := <-n.events:
		return event
	case <-late:
		return object("now", now(), "type", "tick")
	case <-n.life.Done():
		return object("now", now(), "type", "cancel")
	}
}
