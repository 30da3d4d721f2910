package legacy

// Running is how many sessions there are, and requests that run in them.
func (h *Sessions) Running() (sessions, requests int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.open {
		s.Session.mu.Lock()
		requests += len(s.requests)
		s.Session.mu.Unlock()
	}
	return len(h.open), requests
}
