package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/relay"
)

func (w *walk) begin(e *engine.Begin) {
	w.Bool("resend", may, &e.Resend)
	w.Bool("again", may, &e.Again)
	w.Int("moreRounds", may, &e.MoreRounds)
	w.Bool("save", may, &e.Save)
	w.Bool("watch", may, &e.Watch)
}

func (w *walk) part(e *engine.Part) {
	w.Int("leg", must, &e.Leg)
	w.Raw("body", must, &e.Body)
}

func (w *walk) response(e *engine.Response) {
	w.Int("leg", must, &e.Leg)
	w.Raw("body", must, &e.Body)
}

func (w *walk) lost(e *engine.Lost) {
	w.Int("leg", must, &e.Leg)
	w.reason(told, &e.Reason)
	w.Bool("unsent", may, &e.Unsent)
}

func (w *walk) progress(e *engine.Progress) { w.Int("leg", must, &e.Leg) }

func (w *walk) answer(e *engine.Answer) {
	w.ask(&e.Ask)
	w.Raw("raw", must, &e.Raw)
	w.Bool("fill", may, &e.Fill)
}

func (w *walk) refuse(e *engine.Refuse) {
	w.ask(&e.Ask)
	w.reason(told, &e.Reason)
}

func (w *walk) saveFailed(e *engine.SaveFailed) { w.reason(told, &e.Reason) }

func (w *walk) park(e *engine.Park) { w.Int("ask", may, &e.Ask) }

// ask visits the question that an event is about.
func (w *walk) ask(id *int) {
	presence := must
	if w.assumed != 0 {
		presence = told
	}
	w.Int("ask", presence, id)
}

func (w *walk) speak(m *relay.Speak) { w.Text("dialect", must, &m.Dialect) }

func (w *walk) serverAsk(m *relay.ServerAsk) {
	w.Int("leg", must, &m.Leg)
	w.Raw("request", must, &m.Request)
	w.Text("method", must, &m.Method)
	w.Raw("params", may, &m.Params)
	w.Bool("unsent", may, &m.Unsent)
}

func (w *walk) serverCancel(m *relay.ServerCancel) { w.Raw("request", must, &m.Request) }

func (w *walk) completed(m *relay.Completed) { w.Text("elicitationId", must, &m.ElicitationID) }

func (w *walk) taskChanged(m *relay.TaskChanged) { w.Text("taskId", must, &m.TaskID) }

func (w *walk) slice(e *session.Part) {
	w.Int("exchange", may, &e.Exchange)
	w.Raw("body", must, &e.Body)
}

func (w *walk) opened(e *session.Opened) { w.Int("exchange", must, &e.Exchange) }

func (w *walk) message(e *session.Message) {
	w.Int("exchange", may, &e.Exchange)
	w.Raw("body", must, &e.Body)
	w.Int("status", may, &e.Status)
	w.Text("sessionId", may, &e.SessionID)
	w.Text("challenge", may, &e.Challenge)
	w.Text("location", may, &e.Location)
	w.Text("eventId", may, &e.EventID)
	w.Int("retry", may, &e.Retry)
	w.Int("authorization", may, &e.Authorization)
	w.Bool("last", may, &e.Last)
}

func (w *walk) ended(e *session.Ended) {
	w.Int("exchange", must, &e.Exchange)
	w.Int("status", may, &e.Status)
	w.Text("sessionId", may, &e.SessionID)
	w.Text("challenge", may, &e.Challenge)
	w.Text("location", may, &e.Location)
	w.Text("eventId", may, &e.EventID)
	w.Int("retry", may, &e.Retry)
	w.Int("authorization", may, &e.Authorization)
	w.reason(may, &e.Reason)
	w.Bool("unsent", may, &e.Unsent)
}

func (w *walk) down(e *session.Down) { w.reason(may, &e.Reason) }

func (w *walk) subscribe(e *session.Subscribe) {
	w.filter(&e.Filter)
	w.Bool("missed", may, &e.Missed)
}
