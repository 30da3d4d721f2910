package upstream

import (
	"context"
	"sync"

	parley "github.com/parley-mcp/parley/hosts/go"
)

// stopping is that the bridge is about to end.
type stopping struct {
	once  sync.Once
	begun context.Context
	begin context.CancelFunc
}

func (s *stopping) init() {
	s.once.Do(func() { s.begun, s.begin = context.WithCancel(context.Background()) })
}

// Stop has every call park that waits for somebody, or comes to that. Those that
// wait for the server go on.
func (s *stopping) Stop() {
	s.init()
	s.begin()
}

// Stopped is closed by Stop.
func (s *stopping) Stopped() <-chan struct{} {
	s.init()
	return s.begun.Done()
}

// parking has a call park when the bridge stops while somebody is asked, and k note
// that somebody is. A server of an earlier era waits in the very request, so such a
// call goes on until its session ends.
func (c *Conn) parking(askers *parley.Askers, k *keeping) *parley.Askers {
	if askers == nil {
		return nil
	}
	c.server.init()
	asks := *askers
	for _, ask := range []*func(context.Context, parley.Question) ([]byte, error){&asks.Elicit, &asks.ElicitURL, &asks.Sample, &asks.ListRoots, &asks.Authorize} {
		to := *ask
		if to == nil {
			continue
		}
		*ask = func(ctx context.Context, q parley.Question) ([]byte, error) {
			k.isAsked()
			if !c.IsModern() {
				return to(ctx, q)
			}
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			defer context.AfterFunc(c.server.begun, func() { cancel(parley.ErrPark) })()
			answer, err := to(ctx, q)
			if err != nil && context.Cause(ctx) == parley.ErrPark {
				return nil, parley.ErrPark
			}
			return answer, err
		}
	}
	return &asks
}

// Parked is how a call ends that waited for somebody when the bridge was stopped.
type Parked struct {
	Call   string // what it is kept as, "" if it is not
	Resume string // the command that resumes it, "" if its user may not run the bridge
}

// Error implements error.
func (p *Parked) Error() string {
	const stopped = "the bridge was stopped while the call waited for somebody"
	switch {
	case p.Call == "":
		return stopped + ": make it again"
	case p.Resume == "":
		return stopped + "; it is kept, and the person who runs the bridge can resume it: parley resume " + p.Call
	}
	return stopped + "; it is kept, and this resumes it:  " + p.Resume
}
