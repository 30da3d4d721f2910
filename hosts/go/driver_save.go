package parley

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/engine"
)

// save keeps a snapshot where something would be lost without it.
func (d *driver) save(b *batch) error {
	if d.cb.Save == nil {
		return nil
	}
	_, worth := b.event.(engine.Answer)
	for _, a := range b.actions {
		switch a.(type) {
		case engine.Send, engine.Ask, engine.Task: // a task goes on at the server, and may be polled only much later
			worth = true
		case engine.Done:
			return nil
		}
	}
	if !worth {
		return nil
	}
	snapshot, err := d.call.snapshot()
	if err != nil {
		return err
	}
	return d.guard("Save", func() error { return d.cb.Save(d.ctx, snapshot) })
}

func sends(actions []engine.Action) bool {
	for _, a := range actions {
		if _, ok := a.(engine.Send); ok {
			return true
		}
	}
	return false
}

// unsend ends the call before its actions were performed: a leg among them was
// certainly not sent, so nothing is in doubt.
func (d *driver) unsend(actions []engine.Action, detail string, cause error) error {
	for _, a := range actions {
		if send, ok := a.(engine.Send); ok {
			d.call.step(engine.Lost{Leg: send.Leg, Unsent: true}) // fails if the leg is over by now
		}
	}
	snapshot, err := d.call.snapshot()
	if d.ctx.Err() != nil { // the server may be at work on a task
		d.call.step(engine.Cancel{}) // fails if the call is over by now
		for b := d.call.take(); b != nil; b = d.call.take() {
			for _, a := range b.actions {
				if tell, ok := a.(engine.Tell); ok {
					d.call.tell(d, tell)
				}
			}
		}
	}
	return &Error{Code: engine.ErrCanceled, Detail: detail, Resumable: err == nil, Snapshot: snapshot, Cause: errors.Join(cause, err)}
}

// guard calls a callback in a goroutine of its own and waits for it or for the
// end of the caller's context.
func (d *driver) guard(name string, call func() error) error {
	result := make(chan error, 1)
	go func() {
		err := fmt.Errorf("parley: %s did not return", name) // runtime.Goexit
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("parley: %s panicked: %v", name, p)
			}
			result <- err
		}()
		err = call()
	}()
	select {
	case err := <-result:
		return err
	case <-d.ctx.Done():
		return context.Cause(d.ctx)
	}
}
