package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// network is the way to one server over HTTP, of whichever era. Each exchange has a goroutine; what comes of it waits for
// receive.
type network struct {
	url    string
	client http.Client
	events chan object
	under  map[float64]context.CancelFunc
}

func newNetwork(url string) *network {
	// What goes out is for this server alone: redirects are not followed.
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &network{url, client, make(chan object, 16), map[float64]context.CancelFunc{}}
}

// post hands out what the plug-in made: a POST, a stream to listen to, the end of a session, or of an exchange.
func (n *network) post(m object) object {
	exchange := m["exchange"].(float64)
	if m["type"] == "abort" {
		if cancel := n.under[exchange]; cancel != nil {
			cancel()
		}
		return object{"type": "tick"}
	}
	method := map[any]string{"post": http.MethodPost, "listen": http.MethodGet, "delete": http.MethodDelete}[m["type"]]
	ctx, cancel := context.WithCancel(context.Background())
	n.under[exchange] = cancel
	body, _ := m["body"].(string)
	request := must(http.NewRequestWithContext(ctx, method, n.url, strings.NewReader(body)))
	for _, field := range m["headers"].([]any) {
		request.Header.Set(field.([]any)[0].(string), field.([]any)[1].(string))
	}
	answered := make(chan struct{})
	go n.perform(request, exchange, answered)
	if method == http.MethodGet { // what comes on it is lost before it is open
		select {
		case <-answered:
		case <-time.After(time.Second / 2):
		}
	}
	return object{"type": "tick"}
}

// receive waits for what comes next, until the time it is told.
func (n *network) receive(m object) object {
	var late <-chan time.Time
	if until, ok := m["until"].(float64); ok {
		late = time.After(time.Until(time.UnixMilli(int64(until))))
	}
	select {
	case event := <-n.events:
		return event
	case <-late:
		return object{"type": "tick"}
	}
}

// perform makes a request and reports each message of the response, and its end.
func (n *network) perform(request *http.Request, exchange float64, answered chan struct{}) {
	response, err := n.client.Do(request)
	close(answered)
	if err != nil {
		var dial *net.OpError
		n.events <- object{"type": "ended", "exchange": exchange, "reason": err.Error(), "unsent": errors.As(err, &dial) && dial.Op == "dial"}
		return
	}
	defer response.Body.Close()
	report := func(event object, err error) {
		event["exchange"], event["status"] = exchange, response.StatusCode
		if id := response.Header.Get("Mcp-Session-Id"); id != "" {
			event["sessionId"] = id
		}
		if err != nil && err != io.EOF {
			event["reason"] = err.Error()
		}
		n.events <- event
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		if request.Method == http.MethodGet {
			n.events <- object{"type": "opened", "exchange": exchange}
		}
		stream(response.Body, report)
		return
	}
	if text, err := io.ReadAll(response.Body); err != nil || len(text) == 0 {
		report(object{"type": "ended"}, err)
	} else {
		report(object{"type": "message", "body": string(text), "last": true}, nil)
	}
}

// stream reads server-sent events, each of which is a message.
func stream(body io.Reader, report func(object, error)) {
	lines, data, of := bufio.NewReader(body), []string{}, object{} // of the last event: its id, and when to come back
	event := func(kind string) object {
		e := maps.Clone(of)
		e["type"] = kind
		return e
	}
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			report(event("ended"), err)
			return
		}
		line = strings.TrimRight(line, "\r\n")
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "data":
			data = append(data, value)
		case name == "id":
			of["eventId"] = value
		case name == "retry":
			if millis, err := strconv.Atoi(value); err == nil {
				of["retry"] = millis
			}
		case line == "":
			if text := strings.Join(data, "\n"); text != "" {
				message := event("message")
				message["body"] = text
				report(message, nil)
			}
			data = data[:0]
		}
	}
}
