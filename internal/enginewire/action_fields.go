package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/internal/relay"
)

func (w *walk) send(a *engine.Send) {
	w.Int("leg", must, &a.Leg)
	w.Text("method", must, &a.Method)
	w.Raw("params", may, &a.Params)
}

func (w *walk) abandon(a *engine.Abandon) {
	w.Int("leg", must, &a.Leg)
}

func (w *walk) leg(a *engine.Leg) {
	w.Int("leg", must, &a.Leg)
	w.Text("method", may, &a.Method)
	w.Int("size", must, &a.Size)
	w.Text("answer", may, &a.Answer)
	w.Int("state", may, &a.State)
	w.Int("asks", may, &a.Asks)
}

func (w *walk) pause(a *engine.Pause) {
	w.Int64("until", must, &a.Until)
	w.Int("waits", may, &a.Waits)
}

func (w *walk) question(a *engine.Ask) {
	w.Int("ask", must, &a.ID)
	w.Text("key", must, &a.Key)
	w.Text("kind", must, (*string)(&a.Kind))
	w.Text("mode", may, (*string)(&a.Mode))
	w.Raw("params", may, &a.Params)
	w.Int("round", must, &a.Round)
	w.Text("host", may, &a.Host)
	w.Bool("loopback", may, &a.Loopback)
	w.Bool("punycode", may, &a.Punycode)
	w.Bool("repeat", may, &a.Repeat)
	said(&w.Walk, "problem", may, &a.Problem)
	w.Raw("earlier", may, &a.Earlier)
}

func (w *walk) withdraw(a *engine.Withdraw) { w.Int("ask", must, &a.Ask) }

func (w *walk) reply(m *relay.Reply) {
	w.Raw("request", may, &m.Request)
	w.Raw("result", may, &m.Result)
	w.Int("code", may, &m.Code)
	w.Text("message", may, &m.Message)
}

func (w *walk) resend(m *relay.Resend) { w.Int("leg", must, &m.Leg) }

func (w *walk) task(a *engine.Task) {
	w.Text("status", must, &a.Status)
	w.Text("message", may, &a.Message)
}

func (w *walk) tell(a *engine.Tell) {
	w.Text("method", must, &a.Method)
	w.Raw("params", may, &a.Params)
}

func (w *walk) wait(a *engine.Wait) { w.Int64("until", must, &a.Until) }

func (w *walk) note(a *engine.Note) {
	w.Text("kind", must, (*string)(&a.Kind))
	w.Text("flow", may, &a.Flow)
	w.Int("leg", must, &a.Leg)
	w.Int("round", must, &a.Round)
	w.Int64("time", must, &a.Time)
	w.Int("ask", may, &a.Ask)
	w.Text("action", may, &a.Action)
	w.Text("fingerprint", may, &a.Fingerprint)
	w.Int32("code", may, (*int32)(&a.Code))
}

func (w *walk) done(a *engine.Done) {
	w.Raw("result", may, &a.Result)
	w.Int("from", may, &a.From)
	w.Int("to", may, &a.To)
	w.Bool("noStore", may, &a.NoStore)
	w.Bool("cached", may, &a.Cached)
	w.Raw("next", may, &a.Next)
	said(&w.Walk, "lacks", may, &a.Lacks)
}

func (w *walk) failure(a *engine.Failed) {
	w.Int32("code", must, (*int32)(&a.Code))
	said(&w.Walk, "detail", must, &a.Detail)
	w.Bool("resumable", must, &a.Resumable)
	w.Raw("error", may, &a.Error)
}
