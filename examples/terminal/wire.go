package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/examples/terminal/internal/console"
	"github.com/parley-mcp/parley/examples/terminal/internal/jsontext"
	"github.com/parley-mcp/parley/examples/terminal/internal/plain"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// wire sends the legs and shows that it does.
type wire struct {
	host   *host
	client parley.HTTP
	wait   *console.Wait
	busy   int // state-only rounds in a row
}

func (w *wire) send(ctx context.Context, r parley.Request) ([]byte, error) {
	h := w.host
	if w.busy == 0 {
		w.wait = h.console.Wait("waiting for " + h.label)
	}
	if h.trace {
		h.console.Trace("→ leg %d  %s  %d bytes", r.Leg, r.Method, len(r.Params))
	}
	if !h.trace && !h.console.Terminal() {
		r.Progress = nil // nobody looks: the server need not tell
	}
	started := time.Now()
	body, err := w.client.Send(ctx, r)
	took := time.Since(started).Round(time.Millisecond)
	if err != nil {
		if h.trace {
			h.console.Trace("← leg %d  no answer, %v", r.Leg, took)
		}
		w.wait.Done()
		return nil, err
	}
	seen := look(body)
	if h.trace {
		h.console.Trace("← leg %d  %s  %v  %d bytes%s", r.Leg, seen.kind, took, len(body), seen.more)
		for _, ask := range seen.asks {
			h.console.Trace("  asks %s", ask)
		}
	}
	if seen.kind == inputRequired && len(seen.asks) == 0 {
		w.busy++
		w.wait.Set(fmt.Sprintf("%s is busy, trying again (%d)", h.label, w.busy))
	} else {
		w.busy = 0
		w.wait.Done()
	}
	return body, nil
}

// progress shows how far a leg is.
func (w *wire) progress(leg int, params []byte) {
	message := jsontext.Text(jsontext.Get(params, "message"))
	if message != "" {
		w.wait.Set(w.host.label + ": " + plain.Line(message, 200))
	}
	if w.host.trace {
		w.host.console.Trace("← leg %d  progress  %s", leg, plain.Line(message, 200))
	}
}

// notification shows what else comes before a response.
func (w *wire) notification(method string, _ []byte) {
	if w.host.trace {
		w.host.console.Trace("← %s", plain.Line(method, mostKey))
	}
}

func (w *wire) note(n engine.Note) { w.host.console.Trace("note: %s in leg %d", n.Kind, n.Leg) }

// seen is what of a response can be shown. What it means is the engine's to
// say: nothing here decides anything.
type seen struct {
	kind string
	more string
	asks []string
}

const inputRequired = "input_required"

func look(body []byte) seen {
	var message struct {
		Result *struct {
			ResultType    string          `json:"resultType"`
			InputRequests json.RawMessage `json:"inputRequests"`
			RequestState  json.RawMessage `json:"requestState"`
		} `json:"result"`
		Error *struct {
			Code json.RawMessage `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &message) != nil {
		return seen{kind: "unreadable"}
	}
	if message.Error != nil {
		return seen{kind: "error " + plain.Line(string(message.Error.Code), 20)}
	}
	if message.Result == nil {
		return seen{kind: "neither result nor error"}
	}
	s := seen{kind: plain.Line(message.Result.ResultType, 40)}
	if s.kind == "" {
		s.kind = "complete"
	}
	if state := message.Result.RequestState; state != nil {
		s.more = fmt.Sprintf("  requestState: %d bytes", max(len(state)-len(`""`), 0))
	}
	requests, _ := jsontext.Members(message.Result.InputRequests)
	for _, m := range requests {
		var request struct{ Method string }
		json.Unmarshal(m.Value, &request)
		s.asks = append(s.asks, plain.Line(m.Name, mostKey)+"  "+plain.Line(request.Method, mostKey))
	}
	return s
}
