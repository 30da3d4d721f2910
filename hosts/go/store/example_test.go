package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// Calls in a folder, sealed: nobody can read one without the key.
func ExampleFiles() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	calls := &store.Files{Dir: filepath.Join(dir, "calls"), Box: &seal.KeyFileBox{Name: filepath.Join(dir, "key"), Create: true}}

	ctx, id := context.Background(), store.NewID()
	lease, err := calls.Create(ctx, id)
	if err == nil {
		err = lease.Save(ctx, []byte("a snapshot"), store.About{Label: "Work items", Method: "tools/call", Name: "update_work_item"})
	}
	if err == nil {
		err = lease.Release(ctx)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for parked, err := range calls.List(ctx, store.Query{}) {
		fmt.Println(parked.ID == id, parked.Taken, err)
	}
	_, snapshot, err := calls.Take(ctx, id)
	fmt.Println(string(snapshot), err)
	// Output:
	// true false <nil>
	// a snapshot <nil>
}
