package wire

import (
	"github.com/parley-mcp/parley/engine"
)

// Send a request with a fresh id.
func (w *walk) send(a *engine.Send) {
	w.Int("leg", must, &a.Leg) // numbered from 1
	w.Text("method", must, &a.Method)
	w.Raw("params", told, &a.Params)
}

// Abort that request.
func (w *walk) abandon(a *engine.Abandon) {
	w.Int("leg", must, &a.Leg)
}

// Show what goes out, or what came back.
func (w *walk) leg(a *engine.Leg) {
	w.Int("leg", must, &a.Leg)
	w.Text("method", may, &a.Method) // of what goes out
	w.Int("size", must, &a.Size)     // bytes of params, or of the response
	w.Text("answer", may, &a.Answer) // of what came back: `complete`, `input_required`, `incomplete`, `task`, `error`, `lost`, `unknown`, or `cached`, if nothing went out
	w.Int("state", may, &a.State)    // bytes of a requestState
	w.Int("asks", may, &a.Asks)      // how many questions
}

// Show that nothing happens until then.
func (w *walk) pause(a *engine.Pause) {
	w.Int64("until", must, &a.Until) // Unix ms
	w.Int("waits", may, &a.Waits)    // rounds in a row that asked nothing; absent if the wait has another cause
}

// Put a question, in place of the one with the same `ask`.
func (w *walk) question(a *engine.Ask) {
	w.Int("ask", must, &a.ID)                // never used again in the call; negative if it is to authorize
	w.Text("key", must, &a.Key)              // the server's own name for it
	w.Text("kind", must, (*string)(&a.Kind)) // `elicitation/create`, `sampling/createMessage`, `roots/list` or `authorize`
	w.Text("mode", may, (*string)(&a.Mode))  // of an elicitation: `form` or `url`
	w.Raw("params", may, &a.Params)          // absent if the server sent none
	w.Int("round", must, &a.Round)
	w.Text("host", may, &a.Host)              // of a url: where it leads
	w.Bool("loopback", may, &a.Loopback)      // of a url: the host is this machine
	w.Bool("punycode", may, &a.Punycode)      // of a url: what a browser shows may look like another name
	w.Bool("repeat", may, &a.Repeat)          // of a url: the person has agreed to this very url before
	said(&w.Walk, "problem", may, &a.Problem) // why the last answer to this question cannot be used, or why it cannot be parked
	w.Raw("earlier", may, &a.Earlier)         // what this very form was filled in with before the call was started over: for the person to look at, never sent by itself
}

// Close the question.
func (w *walk) withdraw(a *engine.Withdraw) {
	w.Int("ask", must, &a.Ask)
}

// Show the status of the task that the call has become.
func (w *walk) task(a *engine.Task) {
	w.Text("status", must, &a.Status)
	w.Text("message", may, &a.Message) // the server's text
}

// Send a request that needs no answer.
func (w *walk) tell(a *engine.Tell) {
	w.Text("method", must, &a.Method)
	w.Raw("params", told, &a.Params)
}

// Step with `tick` then. It comes last and replaces every earlier one.
func (w *walk) wait(a *engine.Wait) {
	w.Int64("until", must, &a.Until) // Unix ms
}

// Keep an audit record. It never has state or content.
func (w *walk) note(a *engine.Note) {
	w.Text("kind", must, (*string)(&a.Kind))
	w.Text("flow", may, &a.Flow) // `id` of the options
	w.Int("leg", must, &a.Leg)
	w.Int("round", must, &a.Round)
	w.Int64("time", must, &a.Time) // Unix ms
	w.Int("ask", may, &a.Ask)
	w.Text("action", may, &a.Action)
	w.Text("fingerprint", may, &a.Fingerprint)
	w.Int32("code", may, (*int32)(&a.Code))
}

// The call is over. A result with `lacks` counts, too: nothing is sent again.
func (w *walk) done(a *engine.Done) {
	w.Raw("result", may, &a.Result)
	w.Int("from", may, &a.From)           // in place of `result`, if the response came in slices: where it begins in the whole of them, in bytes
	w.Int("to", may, &a.To)               // where it ends
	w.Bool("noStore", may, &a.NoStore)    // it must not be cached
	w.Bool("cached", may, &a.Cached)      // a session took it from what the host has kept, and sent nothing
	w.Raw("next", may, &a.Next)           // of a page of a list: a cursor as JSON text, to be sent as it is in `{"cursor":…}`; absent for the last page
	said(&w.Walk, "lacks", may, &a.Lacks) // what the result does not have that its method must bring, such as content
}

// The call is over. If it is resumable, its snapshot can be continued.
func (w *walk) failure(a *engine.Failed) {
	w.Int32("code", must, (*int32)(&a.Code))
	said(&w.Walk, "detail", must, &a.Detail) // what is wrong and where; never a state or an answer
	w.Bool("resumable", must, &a.Resumable)
	w.Raw("error", may, &a.Error) // the server's JSON-RPC error object, if it sent one
}
