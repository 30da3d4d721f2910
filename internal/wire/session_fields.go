package wire

import "github.com/parley-mcp/parley/engine/session"

// Send `body`: over HTTP as a POST with exactly these header fields and the host's own (authorization and cookies), over stdio as a line.
func (w *walk) post(a *session.Post) {
	w.Int("exchange", must, &a.Exchange)
	w.Int("call", may, &a.Call)       // absent if it is the session's own
	w.Int("leg", may, &a.Leg)         // of the call
	w.Int("cancels", may, &a.Cancels) // the exchange that it cancels: if that has not begun, send neither, and give `ended` with `unsent` for it before the next action
	w.Int("jar", may, &a.Jar)         // see Cookies in wasm/ABI.md
	w.headers(may, &a.Headers)        // absent over stdio
	w.Raw("body", told, &a.Body)
}

// Over `"requests"`, in place of `post`: send it over that connection.
func (w *walk) request(a *session.Request) {
	w.Int("exchange", must, &a.Exchange)
	w.Int("call", may, &a.Call)
	w.Int("leg", may, &a.Leg) // absent if its answer is of no use
	w.Text("method", must, &a.Method)
	w.Raw("params", told, &a.Params)
	w.Raw("capabilities", told, &a.Capabilities) // clientCapabilities, to be declared with it
}

// Open a stream by GET.
func (w *walk) listen(a *session.Listen) {
	w.Int("exchange", must, &a.Exchange)
	w.Int("jar", may, &a.Jar)
	w.headers(told, &a.Headers)
	w.Int64("at", may, &a.At) // Unix ms; absent: at once
}

// Send a DELETE.
func (w *walk) delete(a *session.Delete) {
	w.Int("exchange", must, &a.Exchange)
	w.Int("jar", may, &a.Jar)
	w.headers(told, &a.Headers)
}

// Look up what was kept under the key, and end the exchange with a `message` or, if there is nothing, `ended`; either with the `authorization` that a request would have now.
func (w *walk) recall(a *session.Recall) {
	w.Int("exchange", must, &a.Exchange)
	w.Int("call", must, &a.Call)
	w.Int("leg", must, &a.Leg)
	w.Text("key", must, &a.Key)
	w.Bool("private", may, &a.Private)
}

// Keep the entry under the key, as long as you like until then; a private one where no other session sees it.
func (w *walk) keep(a *session.Keep) {
	w.Text("key", must, &a.Key)
	w.Raw("entry", told, &a.Entry)
	w.Int64("until", must, &a.Until) // Unix ms
	w.Bool("private", may, &a.Private)
}

// Drop all whose key begins so, but for what is private. Only with `cachedAs`.
func (w *walk) forget(a *session.Forget) { w.Text("prefix", must, &a.Prefix) }

// Abort it and report nothing more of it. If it has not begun, drop it and give `ended` with `unsent` before the next action.
func (w *walk) abort(a *session.Abort) { w.Int("exchange", must, &a.Exchange) }

// Show it.
func (w *walk) reported(a *session.Progress) {
	w.Int("call", must, &a.Call)
	w.Int("leg", must, &a.Leg)
	w.Raw("params", told, &a.Params)
}

// Pass it on.
func (w *walk) notification(a *session.Notification) {
	w.Int("call", may, &a.Call) // where it is known
	w.Text("method", must, &a.Method)
	w.Raw("params", may, &a.Params)
}

// What of the last `subscribe` the server will tell of.
func (w *walk) subscribed(a *session.Subscribed) {
	w.filter(&a.Filter)
	said(&w.Walk, "reason", may, &a.Reason) // why the server reports nothing; the session keeps trying unless `over`
	w.Bool("over", may, &a.Over)            // the session has stopped trying until the next `subscribe`
}

// What has changed: get it again when it is needed.
func (w *walk) changed(a *session.Changed) {
	w.filter(&a.Filter)
	w.Bool("missed", may, &a.Missed) // it is all that may have changed, since nothing was heard for a while
}

// The protocol version that is spoken, which may be kept for `known`, and what the server says of itself.
func (w *walk) ready(a *session.Ready) {
	w.Text("version", must, &a.Version)
	w.Raw("serverInfo", may, &a.ServerInfo)
	w.Raw("capabilities", may, &a.Capabilities)
	w.Text("instructions", may, &a.Instructions)
}

// Log it.
func (w *walk) warning(a *session.Warning) { said(&w.Walk, "text", must, &a.Text) }

// Step with `tick` then; 0 for never.
func (w *walk) sessionWait(a *session.Wait) { w.Int64("until", must, &a.Until) }
