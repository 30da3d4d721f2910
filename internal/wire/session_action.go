package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// AppendSessionActions appends {"actions":[…]} with every action in order.
func (n Notation) AppendSessionActions(dst []byte, actions []session.Action) []byte {
	var w walk
	w.write(n, dst)
	w.Put(`{"actions":[`)
	for _, a := range actions {
		w.Comma()
		w.appendSessionAction(a)
		w.Close()
	}
	w.Put("]}")
	return w.End()
}

// appendSessionAction writes an action but for the end of its object.
func (w *walk) appendSessionAction(a session.Action) {
	switch a := a.(type) {
	case session.From:
		w.appendAction(a.Action)
		w.Int("call", must, &a.Call)
	case session.Post:
		w.Open("post")
		w.post(&a)
	case session.Request:
		w.Open("request")
		w.request(&a)
	case session.Listen:
		w.Open("listen")
		w.listen(&a)
	case session.Delete:
		w.Open("delete")
		w.delete(&a)
	case session.Recall:
		w.Open("recall")
		w.recall(&a)
	case session.Keep:
		w.Open("keep")
		w.keep(&a)
	case session.Forget:
		w.Open("forget")
		w.forget(&a)
	case session.Abort:
		w.Open("abort")
		w.abort(&a)
	case session.Progress:
		w.Open("progress")
		w.reported(&a)
	case session.Notification:
		w.Open("notification")
		w.notification(&a)
	case session.Subscribed:
		w.Open("subscribed")
		w.subscribed(&a)
	case session.Changed:
		w.Open("changed")
		w.changed(&a)
	case session.Ready:
		w.Open("ready")
		w.ready(&a)
	case session.Warning:
		w.Open("warning")
		w.warning(&a)
	case session.Wait:
		w.Open("wait")
		w.sessionWait(&a)
	}
}

// DecodeSessionActions reads what [Notation.AppendSessionActions] or [Notation.AppendError]
// wrote: the actions, or the usage error. data is used as memory: see the
// package comment.
func (n Notation) DecodeSessionActions(data []byte) (actions []session.Action, err error) {
	return n.DecodeNextActions(data, nil)
}

// DecodeNextActions is [Notation.DecodeSessionActions] for who reads one answer
// after another, and keeps the last header fields.
func (n Notation) DecodeNextActions(data []byte, last *LastHeaders) (actions []session.Action, err error) {
	actions = make([]session.Action, 0, 2)
	err = n.decodeActions(data, aCall, func(w *walk) {
		w.last = last
		actions = append(actions, w.sessionAction())
	})
	if err != nil {
		return nil, err
	}
	return actions, nil
}

// sessionAction reads an action of a session. One that is none is of a call, but
// for the wait of no call.
func (w *walk) sessionAction() session.Action {
	beside := w.beside
	w.beside = nothing
	switch {
	case w.is("post"):
		return get(w, (*walk).post)
	case w.is("request"):
		return get(w, (*walk).request)
	case w.is("listen"):
		return get(w, (*walk).listen)
	case w.is("delete"):
		return get(w, (*walk).delete)
	case w.is("recall"):
		return get(w, (*walk).recall)
	case w.is("keep"):
		return get(w, (*walk).keep)
	case w.is("forget"):
		return get(w, (*walk).forget)
	case w.is("abort"):
		return get(w, (*walk).abort)
	case w.is("progress"):
		return get(w, (*walk).reported)
	case w.is("notification"):
		return get(w, (*walk).notification)
	case w.is("subscribed"):
		return get(w, (*walk).subscribed)
	case w.is("changed"):
		return get(w, (*walk).changed)
	case w.is("ready"):
		return get(w, (*walk).ready)
	case w.is("warning"):
		return get(w, (*walk).warning)
	}
	w.beside = beside
	action := w.action()
	if w.call == absent {
		wait, ok := action.(engine.Wait)
		if !ok {
			w.Fail(`member "call" is missing`)
		}
		return session.Wait{Until: wait.Until}
	}
	return session.From{Call: w.call, Action: action}
}
