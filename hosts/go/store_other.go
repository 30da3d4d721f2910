//go:build !unix

package parley

import "os"

// place names where a process id means something.
func place() string {
	host, _ := os.Hostname()
	return host
}

// running cannot be told here: a lease lasts until it expires.
func running(int) bool { return true }

// syncDir does nothing: a directory cannot be synced here.
func syncDir(string) error { return nil }
