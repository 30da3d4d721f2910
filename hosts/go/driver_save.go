package parley

import (
	"context"
	"fmt"

	"github.com/parley-mcp/parley/engine"
)

// save keeps a snapshot and says what became of it. What comes after it waits,
// and is never performed if it could not be kept.
func (d *driver) save() happened {
	snapshot, err := d.call.toSave()
	if err == nil {
		err = d.guard("Save", func() error { return d.saver(d.ctx, snapshot) })
	}
	if err == nil {
		d.call.keeps(snapshot)
		logSave(d.log, snapshot)
		return happened{event: engine.Saved{}}
	}
	d.call.forgo()
	if d.isGone() {
		return d.canceled()
	}
	return happened{event: engine.SaveFailed{}, cause: err}
}

// guard calls a callback in a goroutine of its own and waits for it or for the
// end of the caller's context.
func (d *driver) guard(name string, call func() error) error {
	if d.ctx.Err() != nil {
		return context.Cause(d.ctx)
	}
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
