package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/drivertest"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

var update = flag.Bool("update", false, "write what happens into the scripts")

// TestDrivers plays the corpus of drivers on this package's, with both engines.
// With -update what the driver calls on the native one is written into the
// scripts.
func TestDrivers(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		rt, wazero := e.(*parley.Runtime)
		name := "native"
		if wazero {
			name = "wazero"
		}
		drivertest.Run(t, "../testdata/drivers", drivertest.Driver{
			Names: []string{"go", name},
			Lacks: func(s *drivertest.Script) string {
				if s.Needs("instance") && !wazero {
					return "it has no instance"
				}
				return ""
			},
			Play: func(t *testing.T, s *drivertest.Script, play func(drivertest.Stage)) {
				traps := &trapping{Engine: e}
				if s.Needs("instance") {
					traps.Engine = newRuntime(t, parley.RuntimeOptions{Instances: 1, MemoryLimit: 40 << 16})
				}
				synctest.Test(t, func(t *testing.T) {
					p := &stage{engine: traps, called: make(chan struct{}, 1)}
					p.calls[0], p.calls[1] = &played{stage: p}, &played{stage: p, prefix: "other "}
					play(p)
				})
				if wazero && rt.Live() != 0 {
					t.Errorf("%d flows are still live", rt.Live())
				}
			},
		}, *update && !wazero)
	})
}

// stage plays one script, in a bubble: what a driver does by itself is over when
// everybody waits.
type stage struct {
	engine *trapping
	calls  [2]*played

	mu     sync.Mutex
	lines  []string
	called chan struct{} // holds a sign when there is a line more
	slow   []chan bool   // of watchers that have not returned
	over   bool          // every callback returns at once
}

func (s *stage) Do(in drivertest.Input) error {
	c := s.calls[0]
	if in.Other {
		c = s.calls[1]
	}
	switch in.Verb {
	case "call":
		if err := json.Unmarshal([]byte(in.Rest), &c.script); err != nil {
			return err
		}
		canceled := c.script.Canceled
		return c.start(func(ctx context.Context, cb hosttest.Callbacks) (parley.Outcome, error) {
			if canceled != "" {
				c.cancel(c.threwn(canceled))
			}
			return c.connection.call(ctx, c.script, cb)
		})
	case "resume":
		var r drivertest.Resume
		if err := json.Unmarshal([]byte(in.Rest), &r); err != nil {
			return err
		}
		if r.Callbacks != nil {
			c.script.Callbacks = r.Callbacks
		}
		snapshot := c.last
		switch {
		case r.Snapshot != "":
			snapshot = []byte(r.Snapshot)
		case r.From == "save":
			snapshot = c.saved
		}
		if snapshot == nil {
			return errors.New("there is no snapshot")
		}
		return c.start(func(ctx context.Context, cb hosttest.Callbacks) (parley.Outcome, error) {
			return c.connection.resume(ctx, snapshot, r, cb)
		})
	case "until":
		return s.until(in.Rest)
	case "traps":
		s.engine.mu.Lock()
		defer s.engine.mu.Unlock()
		s.engine.next = in.Rest
		return nil
	case "park":
		close(c.park)
		return nil
	case "cancel":
		c.cancel(c.threwn(in.Rest))
		return nil
	case "progress":
		w, err := c.waits(in.Target)
		if err == nil {
			w.progress([]byte(in.Rest))
		}
		return err
	}
	return c.comeBack(in)
}

func (s *stage) Calls() []string {
	s.still()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		for _, w := range c.waiting {
			if w.ends != "" && w.ctx.Err() != nil {
				s.lines = append(s.lines, c.prefix+w.ends)
				w.ends = ""
			}
		}
	}
	lines := s.lines
	s.lines = nil
	return lines
}

// dawdle takes as long as everything else does.
func (s *stage) dawdle() {
	s.mu.Lock()
	back := make(chan bool)
	if s.over {
		close(back)
	} else {
		s.slow = append(s.slow, back)
	}
	s.mu.Unlock()
	<-back
}

// still waits until nothing moves any more, watchers included.
func (s *stage) still() {
	for {
		synctest.Wait()
		s.mu.Lock()
		slow := s.slow
		s.slow = nil
		s.mu.Unlock()
		if len(slow) == 0 {
			return
		}
		for _, back := range slow {
			close(back)
		}
	}
}

// until lets time pass.
func (s *stage) until(name string) error {
	never := time.After(24 * time.Hour)
	for {
		s.still()
		s.mu.Lock()
		come := slices.ContainsFunc(s.lines, func(line string) bool { return strings.HasPrefix(line+" ", name+" ") })
		s.mu.Unlock()
		if come {
			return nil
		}
		select {
		case <-s.called:
		case <-never:
			return fmt.Errorf("nothing called %s comes", name)
		}
	}
}

func (s *stage) Open() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[0].open || s.calls[1].open
}

func (s *stage) End() []string {
	s.mu.Lock()
	s.over, s.lines = true, nil
	var all []*waiting
	for _, c := range s.calls {
		for _, w := range c.waiting {
			all = append(all, w)
		}
		all = append(all, c.left...)
		c.waiting = nil
	}
	s.mu.Unlock()
	for _, w := range all {
		w.back <- back{err: errors.New("the script is over")}
	}
	for _, c := range s.calls {
		if c.cancel != nil {
			c.cancel(errors.New("the script is over"))
		}
	}
	late := s.Calls()
	for _, c := range s.calls {
		if c.connection != nil {
			c.connection.close()
		}
	}
	return append(late, s.Calls()...)
}
