package postgres

// Quiet has a store tell nobody of its changes.
func Quiet(s *Store) {
	s.hints.mu.Lock()
	defer s.hints.mu.Unlock()
	s.hints.running = true
}
