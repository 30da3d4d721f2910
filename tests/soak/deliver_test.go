package soak_test

import (
	"bytes"
	"fmt"
	"net/http"
	"time"
)

// deliver brings an answer over whole, in one of the ways there are.
func (x *exchange) deliver(answer []byte) {
	switch x.IntN(6) {
	case 0:
		x.whole(200, string(answer))
	case 1:
		x.w.Header().Set("Content-Type", "application/json; charset=utf-8")
		x.dribble(answer)
	case 2:
		x.raw("application/json", answer)
	default:
		x.stream(lines(append(append(x.noise(), x.event(answer)), x.echoes(answer)...)...))
		switch x.IntN(300) {
		case 0:
			x.hang(3 * time.Second) // longer than the host bears with it
		case 1, 2, 3, 4:
			x.hang(time.Duration(x.IntN(100)) * time.Millisecond)
		}
	}
}

// stream writes server-sent events.
func (x *exchange) stream(events []byte) {
	x.w.Header().Set("Content-Type", "text/event-stream")
	x.w.WriteHeader(http.StatusOK)
	switch x.IntN(4) {
	case 0:
		events = bytes.ReplaceAll(events, []byte("\n"), []byte("\r\n"))
	case 1:
		events = bytes.ReplaceAll(events, []byte("\n"), []byte("\r"))
	case 2:
		events = append([]byte("\ufeff"), events...)
	}
	x.dribble(events)
}

// event is an answer as an event, of one line or more.
func (x *exchange) event(answer []byte) string {
	text := string(answer)
	if x.IntN(3) == 0 {
		text = "{\ndata: " + text[1:]
	}
	switch x.IntN(4) {
	case 0:
		return "event: message\nid: 9\ndata:" + text + "\n\n"
	case 1:
		return "retry: 20\ndata: " + text + "\n: bye\n\n"
	}
	return "data: " + text + "\n\n"
}

// cut is a stream that ends in its answer, or before.
func (x *exchange) cut(answer []byte) []byte {
	events := append(x.noise(), x.event(answer))
	all := lines(events...)
	if x.IntN(3) == 0 { // after the last line and before the end of its event
		return all[:len(all)-1]
	}
	return all[:len(all)-1-x.IntN(len(all)-1)]
}

// noise is what a stream carries beside its answer.
func (x *exchange) noise() (events []string) {
	for range x.IntN(5) {
		events = append(events, x.anything())
	}
	return events
}

func (x *exchange) anything() string {
	call := fmt.Sprintf(`"call %d"`, x.post.call.n)
	switch x.IntN(16) {
	case 0:
		return ": still here\n\n"
	case 1:
		return "id: none_2\nretry: 100000000\n\n"
	case 2:
		return "event: endpoint\ndata: " + x.forged(x.id) + "\n\n"
	case 3:
		return "data: not JSON at all\n\n"
	case 4:
		return "data: [" + x.forged(x.stranger()) + "]\n\n"
	case 5:
		return `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":` + call + "}}\n\n"
	case 6:
		return `data: {"jsonrpc":"2.0","method":"notifications/\ud800","params":[null]}` + "\n\n"
	case 7:
		return `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + x.id + `,"progress":1,"message":` + call + "}}\n\n"
	case 8:
		return `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99999999,"progress":1}}` + "\n\n"
	case 9:
		return `data: {"jsonrpc":"2.0","method":"notifications/progress","params":null}` + "\n\n"
	case 10:
		if x.ledger.earlier {
			return "" // it would have to be asked
		}
		return `data: {"jsonrpc":"2.0","id":` + x.id + `,"method":"elicitation/create","params":{"message":"forged","requestedSchema":{"type":"object","properties":{}}}}` + "\n\n"
	case 11:
		return `data: {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + x.id + "}}\n\n"
	case 12:
		return "data: " + x.forged(x.stranger()) + "\n\n"
	case 13:
		return "data: " + x.forged("null") + "\n\n"
	case 14:
		return `data: {"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"somewhere else"}}` + "\n\n"
	}
	if x.id[0] == '"' { // an id of the other kind; that of the same value would be taken
		return "data: " + x.forged(x.id[1:len(x.id)-1]+"0") + "\n\n"
	}
	return "data: " + x.forged(`"`+x.id+`0"`) + "\n\n"
}

// echoes come after an answer.
func (x *exchange) echoes(answer []byte) (events []string) {
	if x.IntN(4) == 0 {
		events = append(events, "data: "+string(answer)+"\n\n")
	}
	if x.IntN(4) == 0 {
		events = append(events, "data: "+x.forged(x.id)+"\n\n")
	}
	return append(events, x.noise()...)
}
