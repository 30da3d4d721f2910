package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// rotateSnapshots seals every parked call with a new key.
func (c *tokenCommand) rotateSnapshots(ctx context.Context, screen *console.Console) error {
	files, box, err := sealedStore(ctx, c.storeURL, c.stateDir, true) // to seal what is not is what this is for
	if err != nil {
		return err
	}
	if _, err := os.Stat(box.Name); box.Create && errors.Is(err, fs.ErrNotExist) {
		if calls, err := saved.List(ctx, files); err != nil || len(calls) == 0 {
			screen.Say("nothing is parked, and there is no key yet")
			return err
		}
	}
	added, before, err := addSnapshotKey(box)
	if err != nil {
		return err
	}
	calls, err := saved.List(ctx, files) // those that were saved since are sealed with the new key
	if err != nil {
		return err
	}
	left := 0
	for _, call := range calls {
		if err := saved.Reseal(ctx, files, call.ID); err != nil {
			left++
			screen.Warn("%s is not sealed anew: %s", call.ID, saved.Problem(err))
		}
	}
	if left > 0 {
		return fmt.Errorf("calls not sealed anew: %d of %d. The old keys stay: try again when they are free, or discard them", left, len(calls))
	}
	screen.Say("calls sealed with key %x: %d", added, len(calls))
	return dropSnapshotKeys(screen, box, added, before)
}

// addSnapshotKey makes a new key the one that seals. before is the one that did,
// the same if there were no keys yet.
func addSnapshotKey(box *seal.KeyFileBox) (added, before codec.KeyID, err error) {
	if _, err := os.Stat(box.Name); errors.Is(err, fs.ErrNotExist) {
		if _, err := box.SealBytes(nil, nil); err != nil {
			return added, before, err
		}
		ring, err := seal.LoadKeyFile(box.Name)
		if err != nil {
			return added, before, err
		}
		return ring.Active().ID(), ring.Active().ID(), nil
	}
	err = seal.UpdateKeyFile(box.Name, func(text []byte) ([]byte, error) {
		ring, err := codec.ParseKeyRing(text)
		if err != nil {
			return nil, err
		}
		before = ring.Active().ID()
		accepted, id, err := seal.AcceptKey(text, codec.SuiteXChaCha)
		if err != nil {
			return nil, err
		}
		defer clear(accepted)
		added = id
		return seal.ActivateKey(accepted, id)
	})
	return added, before, err
}

// dropSnapshotKeys drops all keys but two. The one before stays until the next
// rotation: a parley that was about to save has read it, and will seal with it.
func dropSnapshotKeys(screen *console.Console, box *seal.KeyFileBox, added, before codec.KeyID) error {
	if added == before {
		return nil
	}
	var dropped []codec.KeyID
	err := seal.UpdateKeyFile(box.Name, func(text []byte) ([]byte, error) {
		ring, err := codec.ParseKeyRing(text)
		if err != nil {
			return nil, err
		}
		for _, key := range ring.Keys() {
			if id := key.ID(); id != added && id != before {
				if text, err = seal.DropKey(text, id); err != nil {
					return nil, err
				}
				dropped = append(dropped, id)
			}
		}
		return text, nil
	})
	if err != nil {
		return err
	}
	for _, id := range dropped {
		screen.Say("dropped %x", id)
	}
	screen.Say("%x still opens; the next rotation drops it", before)
	return nil
}
