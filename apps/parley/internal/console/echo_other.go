//go:build !unix

package console

// muteKeys does nothing here: what is typed shows.
func muteKeys(uintptr) (undo func()) { return func() {} }
