package main

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/hosts/go/oauth"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// openStore is where calls are saved, sealed with the key of a file, which is
// there or it is an error. It is nil where nothing is to be saved.
func openStore(ctx context.Context, url, dir, keyFile string) (store.Store, error) {
	if url == "" && dir == "" {
		return nil, nil
	}
	if url == "" {
		url = "file:" + dir
	}
	box := &seal.KeyFileBox{Name: keyFile}
	if _, err := box.SealBytes(nil, nil); err != nil {
		return nil, errors.New(saved.Problem(err) + " (parley-editor --new-key FILE makes one)")
	}
	calls, err := saved.Open(ctx, url, store.Sealing{Box: box})
	if err != nil {
		return nil, errors.New(saved.Problem(err))
	}
	return calls, nil
}

// accountStore is where accounts are kept: beside the calls, as parley keeps them.
// Where nothing is kept, they end with the process.
func accountStore(dir string) oauth.Store {
	if dir == "" {
		return &oauth.Memory{}
	}
	return account.Store(dir)
}

// saveNew begins to save a new call.
func (c *call) saveNew(ctx context.Context) error {
	if c.host.store == nil {
		return nil
	}
	lease, err := c.host.store.Create(ctx, c.id)
	if err != nil {
		return rpcFault(errors.New(saved.Problem(err)))
	}
	c.save(lease, saved.Entry{Server: c.server})
	return nil
}

// save saves a call in the store under a lease.
func (c *call) save(lease store.Lease, e saved.Entry) {
	c.saved = saved.Begin(c.id, lease, e, func(problem string) { c.host.log(c.server.Label, "warning", problem) })
}
