package store

import "time"

// Before has a function called before each call of the system that a store
// makes, with its name and path; what it returns is how the call fails.
func Before(s *Files, f func(op, path string) error) { s.disk.before = f }

// SetDay has a store go by another time of day.
func SetDay(s Store, day func() time.Time) {
	switch s := s.(type) {
	case *Files:
		s.clock.day = day
	case *Memory:
		s.clock.day = day
	}
}
