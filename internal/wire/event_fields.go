package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// Starts a call. It also continues a call that was parked or restored, or that failed and can be resumed.
func (w *walk) begin(e *engine.Begin) {
	w.Bool("resend", may, &e.Resend)        // sends a leg that is in doubt again
	w.Bool("again", may, &e.Again)          // starts the call over
	w.Int("moreRounds", may, &e.MoreRounds) // allows this many rounds more than `maxRounds`
	w.Bool("save", may, &e.Save)            // asks for `save`, for as long as this host drives the call
	w.Bool("watch", may, &e.Watch)          // asks for `leg` and `pause`, for as long as this host drives the call
}

// A slice of the response, cut anywhere; the `response` then has the last slice. For what is longer than 256 KiB, so that no step takes long.
func (w *walk) part(e *engine.Part) {
	w.Int("leg", must, &e.Leg)
	w.Raw("body", must, &e.Body)
}

// The whole JSON-RPC response, as it came, but for what came as `part`. What else stands around it is skipped.
func (w *walk) response(e *engine.Response) {
	w.Int("leg", must, &e.Leg)
	w.Raw("body", must, &e.Body)
}

// No answer will come.
func (w *walk) lost(e *engine.Lost) {
	w.Int("leg", must, &e.Leg)
	w.reason(told, &e.Reason)
	w.Bool("unsent", may, &e.Unsent) // it certainly was not carried out
}

// The server reported progress.
func (w *walk) progress(e *engine.Progress) { w.Int("leg", must, &e.Leg) }

// The answer to a question.
func (w *walk) answer(e *engine.Answer) {
	w.ask(&e.Ask)
	w.Raw("raw", must, &e.Raw)   // the ElicitResult, CreateMessageResult or ListRootsResult
	w.Bool("fill", may, &e.Fill) // put schema defaults in: for hosts without a person
}

// The host cannot or will not answer a question.
func (w *walk) refuse(e *engine.Refuse) {
	w.ask(&e.Ask)
	w.reason(told, &e.Reason)
}

// The snapshot could not be kept: the call fails, and a leg that waited was not sent.
func (w *walk) saveFailed(e *engine.SaveFailed) { w.reason(told, &e.Reason) }

// Stops the call and keeps everything.
func (w *walk) park(e *engine.Park) {
	w.assume(&e.Ask)
	w.Int("ask", may, &e.Ask) // the question to park, which is put again if that is impossible
}

// ask visits the question that an event is about.
func (w *walk) ask(id *int) {
	presence := must
	if w.assumed != 0 {
		presence = told
	}
	w.assume(id)
	w.Int("ask", presence, id)
}

// assume is for an event that names no question, if it need not.
func (w *walk) assume(id *int) {
	if *id == 0 {
		*id = w.assumed
	}
}

// A slice of a message, cut anywhere; the `message` of that exchange then has the last slice. For what is longer than 256 KiB, so that no step takes long; other events may come
// between. An exchange that ends or is aborted ends its slices. A member longer than 1 MiB, and than `limits.response` of every call, is checked and not kept.
func (w *walk) slice(e *session.Part) {
	w.Int("exchange", may, &e.Exchange) // absent over stdio
	w.Raw("body", must, &e.Body)
}

// The response to a `listen` has come, with status 200 and as a stream, before its first `message`: from then on the server can ask. If a host never says it, a first call waits
// longer where `roots` are declared.
func (w *walk) opened(e *session.Opened) { w.Int("exchange", must, &e.Exchange) }

// What came at once, as it came: a line, the body of a response or the data of an event. It is a message of the server, or several; what else stands there is skipped, and a `warning` says so if a person would see it. Over `"requests"` it is
// the response to that exchange (its id is ignored), or progress of it. To a `recall` it is what was kept.
func (w *walk) message(e *session.Message) {
	w.Int("exchange", may, &e.Exchange) // absent over stdio
	w.Raw("body", must, &e.Body)
	w.Int("status", may, &e.Status)               // of HTTP, 200 if absent
	w.Text("sessionId", may, &e.SessionID)        // the header field Mcp-Session-Id
	w.Text("challenge", may, &e.Challenge)        // of 401 and 403: the values of WWW-Authenticate, with a comma between; longer than 8 KiB counts as none
	w.Text("location", may, &e.Location)          // of 3xx: the address in Location, without what follows its path
	w.Text("eventId", may, &e.EventID)            // of a server-sent event
	w.Int("retry", may, &e.Retry)                 // the stream's reconnection time, in ms
	w.Int("authorization", may, &e.Authorization) // how often the authorization that requests carry has changed, by the transport's count
	w.Bool("last", may, &e.Last)                  // no `ended` follows
}

// No message follows.
func (w *walk) ended(e *session.Ended) {
	w.Int("exchange", must, &e.Exchange)
	w.Int("status", may, &e.Status)        // absent if no response came
	w.Text("sessionId", may, &e.SessionID) // this and the next five as in `message`
	w.Text("challenge", may, &e.Challenge)
	w.Text("location", may, &e.Location)
	w.Text("eventId", may, &e.EventID)
	w.Int("retry", may, &e.Retry)
	w.Int("authorization", may, &e.Authorization)
	w.reason(may, &e.Reason)
	w.Bool("unsent", may, &e.Unsent) // the request certainly never reached the server
}

// The process over stdio is gone. The next `post` starts it again.
func (w *walk) down(e *session.Down) { w.reason(may, &e.Reason) }

// What the host wants to be told of from now on, in place of what it said before; with none of it the subscription ends. An error over `"requests"`.
func (w *walk) subscribe(e *session.Subscribe) {
	w.filter(&e.Filter)
	w.Bool("missed", may, &e.Missed) // another session had the subscription and is gone: a `changed` with `missed` follows what the server agrees to
}
