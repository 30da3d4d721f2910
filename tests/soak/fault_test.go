package soak_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"time"
)

var quiet = log.New(io.Discard, "", 0)

// fault is what can befall a request or its answer.
type fault struct {
	name string
	odds int // against those of the others
	does func(*exchange)
}

// befalls picks a fault, if any, for so many requests in a thousand, and
// reports whether that was the answer.
func (x *exchange) befalls(when string, faults []fault, odds int) bool {
	if x.IntN(1000) >= odds {
		return false
	}
	sum := 0
	for _, f := range faults {
		sum += f.odds
	}
	at := x.IntN(sum)
	for _, f := range faults {
		if at -= f.odds; at >= 0 {
			continue
		}
		x.ledger.count(when + f.name)
		if x.post != nil {
			x.ledger.mu.Lock()
			x.post.call.note(x.ledger, "server: %s %s%s", x.post.id, when, f.name)
			x.ledger.mu.Unlock()
		}
		f.does(x)
		return f.name != "comes late"
	}
	return false
}

// faultsBefore befall a request before anything is done.
var faultsBefore = []fault{
	{"connection reset", 10, func(x *exchange) { reset(x.conn); panic(http.ErrAbortHandler) }},
	{"connection closed", 10, func(*exchange) { panic(http.ErrAbortHandler) }},
	{"401", 6, refuse(401, "")},
	{"403", 2, refuse(403, "<html>no</html>")},
	{"404", 3, refuse(404, "404 page not found\n")},
	{"400", 2, refuse(400, "bad request")},
	{"408", 2, refuse(408, "")},
	{"413", 2, refuse(413, "")},
	{"429", 6, func(x *exchange) { x.w.Header().Set("Retry-After", "1"); refuse(429, "slow down")(x) }},
	{"500", 4, refuse(500, "")},
	{"502", 4, refuse(502, "<html>bad gateway</html>")},
	{"503", 6, func(x *exchange) { x.w.Header().Set("Retry-After", "1"); refuse(503, `{"error":"busy"}`)(x) }},
	{"redirect", 2, func(x *exchange) { x.w.Header().Set("Location", "/elsewhere"); refuse(307, "")(x) }},
	{"accepted without an answer", 2, refuse(202, "")},
	{"nothing at all", 2, refuse(200, "")},
	{"a page", 2, refuse(200, "<html>Sign in to the network</html>")},
	{"error of the server", 4, func(x *exchange) { x.reject(200, x.id, -32000) }},
	{"error with an error status", 4, func(x *exchange) { x.reject(500, x.id, -32603) }},
	{"error without an id", 2, func(x *exchange) { x.reject(400, "null", -32700) }},
	{"header mismatch", 4, func(x *exchange) { x.reject(400, x.id, -32020) }},
	{"answer to another", 3, func(x *exchange) { x.whole(200, x.forged(x.stranger())) }},
	{"hangs", 3, func(x *exchange) { x.hang(3 * legTime); panic(http.ErrAbortHandler) }},
	{"comes late", 3, func(x *exchange) { time.Sleep(legTime + time.Duration(x.IntN(300))*time.Millisecond) }},
}

// faultsAfter befall the answer, when everything is done.
func faultsAfter(answer []byte) []fault {
	return []fault{
		{"connection reset", 10, func(x *exchange) { reset(x.conn); panic(http.ErrAbortHandler) }},
		{"connection closed", 10, func(*exchange) { panic(http.ErrAbortHandler) }},
		{"500", 3, refuse(500, "")},
		{"502", 3, refuse(502, "<html>bad gateway</html>")},
		{"504", 3, refuse(504, `{"error":"upstream timed out"}`)},
		{"error of the gateway", 4, func(x *exchange) {
			x.whole(502, `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"upstream timed out"}}`)
		}},
		{"answer to another", 3, func(x *exchange) { x.whole(200, x.forged(x.stranger())) }},
		{"hangs", 3, func(x *exchange) { x.hang(3 * legTime); panic(http.ErrAbortHandler) }},
		{"shorter than it says", 8, func(x *exchange) {
			x.w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
			x.w.Write(answer[:x.IntN(len(answer))])
			panic(http.ErrAbortHandler)
		}},
		{"cut off", 8, func(x *exchange) { x.raw("application/json", answer[:x.IntN(len(answer))]) }},
		{"reset midway", 8, func(x *exchange) {
			x.w.Header().Set("Content-Type", "application/json")
			x.dribble(answer[:x.IntN(len(answer))])
			reset(x.conn)
			panic(http.ErrAbortHandler)
		}},
		{"stream ends early", 10, func(x *exchange) { x.stream(x.cut(answer)) }},
		{"stream closed early", 10, func(x *exchange) { x.stream(x.cut(answer)); panic(http.ErrAbortHandler) }},
		{"stream reset early", 10, func(x *exchange) { x.stream(x.cut(answer)); reset(x.conn); panic(http.ErrAbortHandler) }},
	}
}

func refuse(status int, body string) func(*exchange) {
	return func(x *exchange) { x.whole(status, body) }
}

// reject answers with a JSON-RPC error.
func (x *exchange) reject(status int, id string, code int) {
	if x.post != nil {
		x.ledger.reject(x.post)
	}
	x.whole(status, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"}}`, id, code))
}

// hang does nothing, until nobody waits any more.
func (x *exchange) hang(most time.Duration) {
	select {
	case <-x.r.Context().Done():
	case <-time.After(most):
	}
}

// raw answers without saying how long the answer is.
func (x *exchange) raw(kind string, body []byte) {
	conn, buffered, err := x.w.(http.Hijacker).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	fmt.Fprintf(buffered, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n\r\n%s", kind, body)
	buffered.Flush()
	conn.Close()
}

// forged is a result that nobody may take, for a request with an id.
func (x *exchange) forged(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","content":[{"type":"text","text":"forged"}]}}`
}

// stranger is an id that is likely another call's, in flight now; in an earlier
// era, where an answer may come on any stream, one that is nobody's.
func (x *exchange) stranger() string {
	if x.ledger.earlier {
		return `"nobody"`
	}
	var n int
	quoted := x.id[0] == '"'
	fmt.Sscanf(x.id, map[bool]string{true: `"%d"`, false: `%d`}[quoted], &n)
	n += 1 + x.IntN(8)
	if x.IntN(2) == 0 {
		n = max(n-10, 0)
	}
	if quoted {
		return strconv.Quote(strconv.Itoa(n))
	}
	return strconv.Itoa(n)
}
