package redis

import "github.com/parley-mcp/parley/hosts/go/store"

// Twin copies a lease, as a process does that is copied.
func Twin(l store.Lease) store.Lease {
	one := l.(*lease)
	return &lease{store: one.store, id: one.id, token: one.token, order: one.order.Twin()}
}
