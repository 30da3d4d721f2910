package store

// Before has a function called before each call of the system that a store
// makes, with its name and path; what it returns is how the call fails.
func Before(s *Files, f func(op, path string) error) { s.disk.before = f }
