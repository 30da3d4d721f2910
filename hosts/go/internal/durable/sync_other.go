//go:build !unix

package durable

// SyncDir does nothing: a directory cannot be synced here.
func SyncDir(string) error { return nil }
