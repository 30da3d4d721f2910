//go:build !frames && !texts

package fields

// A module is built for one notation, and leaves out what is for the other.
const (
	frames = true
	texts  = true
)
