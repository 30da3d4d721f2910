package postgres

import "github.com/parley-mcp/parley/hosts/go/store"

// Twin copies a lease, as a process does that is copied.
func Twin(l store.Lease) store.Lease {
	one := l.(*lease)
	return &lease{store: one.store, id: one.id, token: one.token, order: one.order.Twin()}
}

// Quiet has a store tell nobody of its changes.
func Quiet(s *Store) {
	s.hints.mu.Lock()
	defer s.hints.mu.Unlock()
	s.hints.running = true
}
