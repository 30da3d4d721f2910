// Parks uses a store in Redis as it is told, so that implementations in other
// languages can be tested at the same store. It reads a JSON object a line, and
// answers each with one. Usage: parks URL KEYFILE
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
)

type order struct {
	Do       string      `json:"do"`
	ID       string      `json:"id"`
	Snapshot string      `json:"snapshot"`
	About    store.About `json:"about"`
	Expires  int64       `json:"expires"` // in Unix milliseconds
}

type answer struct {
	Error    string         `json:"error,omitempty"`
	Snapshot string         `json:"snapshot,omitempty"`
	First    bool           `json:"first,omitempty"`
	Calls    []store.Parked `json:"calls,omitempty"`
}

type desk struct {
	calls  *redis.Store
	marks  *redis.Replay
	leases map[string]store.Lease
}

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "parks:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url, keys string) error {
	calls, err := redis.Open(ctx, url, redis.Options{Box: &seal.KeyFileBox{Name: keys}})
	if err != nil {
		return err
	}
	defer calls.Close()
	marks, err := redis.OpenReplay(ctx, url, 0)
	if err != nil {
		return err
	}
	defer marks.Close()
	d := desk{calls, marks, map[string]store.Lease{}}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for in.More() {
		var o order
		if err := in.Decode(&o); err != nil {
			return err
		}
		a, err := d.do(ctx, o)
		if err != nil {
			a.Error = err.Error()
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return nil
}

func (d desk) do(ctx context.Context, o order) (a answer, err error) {
	lease := d.leases[o.ID]
	switch o.Do {
	case "create":
		lease, err = d.calls.Create(ctx, o.ID)
		d.leases[o.ID] = lease
	case "take":
		var snapshot []byte
		lease, snapshot, err = d.calls.Take(ctx, o.ID)
		a.Snapshot, d.leases[o.ID] = string(snapshot), lease
	case "save":
		err = lease.Save(ctx, []byte(o.Snapshot), o.About)
	case "release":
		err = lease.Release(ctx)
	case "done":
		err = lease.Done(ctx)
	case "list":
		for call, failed := range d.calls.List(ctx, store.Query{Principal: o.About.Principal}) {
			if err = failed; err != nil {
				break
			}
			a.Calls = append(a.Calls, call)
		}
	case "consume":
		var id [16]byte
		if _, err = hex.Decode(id[:], []byte(o.ID)); err == nil {
			a.First, err = d.marks.Consume(id, time.UnixMilli(o.Expires))
		}
	default:
		err = fmt.Errorf("there is no %q", o.Do)
	}
	return a, err
}
