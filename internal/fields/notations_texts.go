//go:build texts

package fields

const (
	frames = false
	texts  = true
)
