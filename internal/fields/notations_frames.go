//go:build frames

package fields

const (
	frames = true
	texts  = false
)
