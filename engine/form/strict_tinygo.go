//go:build tinygo

package form

// hasStrict is whether ParseStrict is there: a module for hosts has no use for it.
const hasStrict = false
