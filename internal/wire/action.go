package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/rawjson"
)

// AppendActions appends {"actions":[…]} with every action in order.
func (n Notation) AppendActions(dst []byte, actions []engine.Action) []byte {
	var w walk
	w.write(n, dst)
	w.Put(`{"actions":[`)
	for _, a := range actions {
		w.Comma()
		if r, ok := a.(engine.Relay); ok {
			r.AppendTo(&w.Walk)
		} else {
			w.appendAction(a)
		}
		w.Close()
	}
	w.Put("]}")
	return w.End()
}

// appendAction writes an action but for the end of its object.
func (w *walk) appendAction(a engine.Action) {
	switch a := a.(type) {
	case engine.Send:
		w.Open("send")
		w.send(&a)
	case engine.Abandon:
		w.Open("abandon")
		w.abandon(&a)
	case engine.Save:
		w.Open("save")
	case engine.Leg:
		w.Open("leg")
		w.leg(&a)
	case engine.Pause:
		w.Open("pause")
		w.pause(&a)
	case engine.Ask:
		w.Open("ask")
		w.question(&a)
	case engine.Withdraw:
		w.Open("withdraw")
		w.withdraw(&a)
	case engine.Task:
		w.Open("task")
		w.task(&a)
	case engine.Tell:
		w.Open("tell")
		w.tell(&a)
	case engine.Wait:
		w.Open("wait")
		w.wait(&a)
	case engine.Note:
		w.Open("note")
		w.note(&a)
	case engine.Done:
		w.Open("done")
		w.done(&a)
	case engine.Parked:
		w.Open("parked")
	case engine.Failed:
		w.Open("failed")
		w.failure(&a)
	}
}

// AppendError appends {"error":{"code":…,"detail":"…"}}.
func (n Notation) AppendError(dst []byte, err *engine.Error) []byte {
	var w walk
	w.write(n, dst)
	w.Put("{")
	w.error(&err)
	w.Close()
	return w.End()
}

// DecodeActions reads what [Notation.AppendActions] or [Notation.AppendError] wrote: the
// actions, or the usage error. data is used as memory: see the package
// comment.
func (n Notation) DecodeActions(data []byte) (actions []engine.Action, err error) {
	err = n.decodeActions(data, nothing, func(w *walk) {
		if r := engine.ReadRelay(&w.Walk, w.kind, w.next); r.Message != nil {
			actions = append(actions, r)
			return
		}
		actions = append(actions, w.action())
	})
	if err != nil {
		return nil, err
	}
	return actions, nil
}

// decodeActions has every action read.
func (n Notation) decodeActions(data []byte, beside side, read func(*walk)) error {
	var w walk
	var failed *engine.Error
	w.read(n, "answer of the engine", data)
	for w.Next() {
		w.error(&failed)
		array := w.Take("actions")
		if array == nil {
			continue
		}
		var e rawjson.Elements
		var a walk
		for e.StartChecked(array); e.Next(); { // it was read to its end
			a = walk{}
			a.Within(&w.Walk)
			a.Read("action", e.Value)
			a.typed(beside)
			if read(&a); a.Flaw != "" {
				return a.flawed(nil)
			}
		}
		if e.Err != nil {
			w.Fail(e.Err.Reason.String())
		}
	}
	return w.flawed(failed)
}

// action reads an action of a call.
func (w *walk) action() engine.Action {
	switch {
	case w.is("send"):
		return get(w, (*walk).send)
	case w.is("wait"):
		return get(w, (*walk).wait)
	case w.is("ask"):
		return get(w, (*walk).question)
	case w.is("done"):
		return get(w, (*walk).done)
	case w.is("abandon"):
		return get(w, (*walk).abandon)
	case w.is("save"): // Take a snapshot before the next step, keep it, and give `saved` or `saveFailed`. Until then no question, leg or note of this call comes; its end may.
		w.none()
		return engine.Save{}
	case w.is("leg"):
		return get(w, (*walk).leg)
	case w.is("pause"):
		return get(w, (*walk).pause)
	case w.is("withdraw"):
		return get(w, (*walk).withdraw)
	case w.is("task"):
		return get(w, (*walk).task)
	case w.is("tell"):
		return get(w, (*walk).tell)
	case w.is("note"):
		return get(w, (*walk).note)
	case w.is("parked"): // The call is over, and its snapshot can be continued: take it.
		w.none()
		return engine.Parked{}
	case w.is("failed"):
		return get(w, (*walk).failure)
	}
	w.Fail("the type is not known")
	return nil
}
