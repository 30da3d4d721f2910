package parley

import "sync"

// serial runs functions one after another in a goroutine that lives only while
// there are any. The zero value is ready.
type serial struct {
	mu      sync.Mutex
	queue   []func()
	running bool
}

// add queues a function, unless most are queued by now; 0 means no bound.
func (s *serial) add(f func(), most int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if most > 0 && len(s.queue) >= most {
		return false
	}
	s.queue = append(s.queue, f)
	if !s.running {
		s.running = true
		go s.run()
	}
	return true
}

// drain waits until what is queued has run.
func (s *serial) drain() {
	done := make(chan struct{})
	s.add(func() { close(done) }, 0)
	<-done
}

func (s *serial) run() {
	for {
		s.mu.Lock()
		queue := s.queue
		s.queue = nil
		s.running = len(queue) > 0
		s.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for i, f := range queue {
			queue[i] = nil
			observe(f)
		}
	}
}
