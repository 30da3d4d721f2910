package sandbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// maxKeptMemory is what an instance may have grown to and be used again, in
// bytes: its memory never shrinks, and the largest request decides how much it
// takes.
const maxKeptMemory = 4 << 20

// pool is the instances of one codec, box or guard. They are made when all
// others are in use, and again after one trapped.
type pool struct {
	runtime *Runtime
	exports exports
	setup   []byte // what makes a handle: it holds the keys

	mu     sync.Mutex
	freed  sync.Cond
	idle   []*instance
	count  int // of all instances, idle or in use
	closed bool
}

var errClosed = errors.New("it was closed")

// newPool makes a pool with one instance, so that what is wrong with setup
// shows now. The pool owns setup.
func (r *Runtime) newPool(exports exports, setup []byte) (*pool, error) {
	p := &pool{runtime: r, exports: exports, setup: setup}
	p.freed.L = &p.mu
	if err := r.addPool(p); err != nil {
		clear(setup)
		return nil, err
	}
	first, err := p.take()
	if err != nil {
		p.close()
		return nil, err
	}
	return p, p.put(first)
}

func (r *Runtime) addPool(p *pool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return gone(errClosed)
	}
	r.pools[p] = true
	return nil
}

// take waits for an instance that nobody else uses.
func (p *pool) take() (*instance, error) {
	p.mu.Lock()
	for !p.closed && len(p.idle) == 0 && p.count >= p.runtime.machine.Most {
		p.freed.Wait()
	}
	if p.closed {
		p.mu.Unlock()
		return nil, gone(errClosed)
	}
	if n := len(p.idle); n > 0 {
		i := p.idle[n-1] // the one used last: its memory is in the processor's caches
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return i, nil
	}
	p.count++
	p.mu.Unlock()
	i, err := p.runtime.newInstance(p.exports, p.setup)
	if err != nil {
		p.leave(nil)
		return nil, err
	}
	return i, nil
}

// put gives an instance back, cleaned; one that trapped or grew large is
// dropped. It returns what the module said to being cleaned.
func (p *pool) put(i *instance) error {
	err := i.clean()
	if i.dead || i.memory.Size() > maxKeptMemory {
		i.close()
		i = nil
	}
	p.leave(i)
	return err
}

// leave makes room for another instance, or lets the next call have this one.
func (p *pool) leave(i *instance) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i != nil {
		p.idle = append(p.idle, i)
	} else {
		p.count--
	}
	if p.closed {
		p.freed.Broadcast()
	} else {
		p.freed.Signal()
	}
}

func (p *pool) memory() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, i := range p.idle {
		n += int(i.memory.Size())
	}
	return n
}

// close ends the instances once the calls that are running have returned, and
// wipes the keys.
func (p *pool) close() error {
	p.runtime.mu.Lock()
	delete(p.runtime.pools, p)
	p.runtime.mu.Unlock()
	return p.end()
}

func (p *pool) end() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	p.freed.Broadcast()
	for len(p.idle) < p.count {
		p.freed.Wait()
	}
	var err error
	for _, i := range p.idle {
		err = errors.Join(err, i.end())
	}
	clear(p.setup)
	return err
}

// end lets go of the handle and closes the instance. That anything is left is a
// mistake of this package or of the module.
func (i *instance) end() error {
	defer i.close()
	ctx := context.Background()
	if _, err := i.module.ExportedFunction("parley_free").Call(ctx, i.handle); err != nil {
		return gone(err)
	}
	left, err := i.module.ExportedFunction("parley_live").Call(ctx)
	switch {
	case err != nil:
		return gone(err)
	case left[0] != 0:
		return fmt.Errorf("sandbox: the codec's instance still holds %d handles", left[0])
	}
	return nil
}
