package enginewire

import "github.com/parley-mcp/parley/engine/session"

func (w *walk) post(a *session.Post) {
	w.Int("exchange", must, &a.Exchange)
	w.Int("call", may, &a.Call)
	w.Int("leg", may, &a.Leg)
	w.Int("cancels", may, &a.Cancels)
	w.Int("jar", may, &a.Jar)
	w.headers(&a.Headers)
	w.Raw("body", may, &a.Body)
}

func (w *walk) request(a *session.Request) {
	w.Int("exchange", must, &a.Exchange)
	w.Int("call", may, &a.Call)
	w.Int("leg", may, &a.Leg)
	w.Text("method", must, &a.Method)
	w.Raw("params", may, &a.Params)
	w.Raw("capabilities", may, &a.Capabilities)
}

func (w *walk) listen(a *session.Listen) {
	w.Int("exchange", must, &a.Exchange)
	w.Int("jar", may, &a.Jar)
	w.headers(&a.Headers)
	w.Int64("at", may, &a.At)
}

func (w *walk) delete(a *session.Delete) {
	w.Int("exchange", must, &a.Exchange)
	w.Int("jar", may, &a.Jar)
	w.headers(&a.Headers)
}

func (w *walk) recall(a *session.Recall) {
	w.Int("exchange", must, &a.Exchange)
	w.Int("call", must, &a.Call)
	w.Int("leg", must, &a.Leg)
	w.Text("key", must, &a.Key)
	w.Bool("private", may, &a.Private)
}

func (w *walk) keep(a *session.Keep) {
	w.Text("key", must, &a.Key)
	w.Raw("entry", may, &a.Entry)
	w.Int64("until", must, &a.Until)
	w.Bool("private", may, &a.Private)
}

func (w *walk) forget(a *session.Forget) { w.Text("prefix", must, &a.Prefix) }

func (w *walk) abort(a *session.Abort) { w.Int("exchange", must, &a.Exchange) }

func (w *walk) reported(a *session.Progress) {
	w.Int("call", must, &a.Call)
	w.Int("leg", must, &a.Leg)
	w.Raw("params", may, &a.Params)
}

func (w *walk) notification(a *session.Notification) {
	w.Int("call", may, &a.Call)
	w.Text("method", must, &a.Method)
	w.Raw("params", may, &a.Params)
}

func (w *walk) subscribed(a *session.Subscribed) {
	w.filter(&a.Filter)
	said(&w.Walk, "reason", may, &a.Reason)
	w.Bool("over", may, &a.Over)
}

func (w *walk) changed(a *session.Changed) {
	w.filter(&a.Filter)
	w.Bool("missed", may, &a.Missed)
}

func (w *walk) ready(a *session.Ready) {
	w.Text("version", must, &a.Version)
	w.Raw("serverInfo", may, &a.ServerInfo)
	w.Raw("capabilities", may, &a.Capabilities)
	w.Text("instructions", may, &a.Instructions)
}

func (w *walk) warning(a *session.Warning) { said(&w.Walk, "text", must, &a.Text) }

func (w *walk) sessionWait(a *session.Wait) { w.Int64("until", must, &a.Until) }
