package seal_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// The three steps of a rotation. Between them the file goes to every instance.
func ExampleUpdateKeyFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "server.key")
	first, err := seal.GenerateKey(codec.SuiteXChaCha)
	if err == nil {
		err = seal.CreateKeyFile(name, first)
	}
	old, loadErr := seal.LoadKeyFile(name)
	if err != nil || loadErr != nil {
		fmt.Println(err, loadErr)
		return
	}
	oldest := old.Active().ID()

	var next codec.KeyID
	for _, step := range []func(text []byte) ([]byte, error){
		func(text []byte) (changed []byte, err error) {
			changed, next, err = seal.AcceptKey(text, codec.SuiteXChaCha)
			return changed, err
		},
		func(text []byte) ([]byte, error) { return seal.ActivateKey(text, next) },
		func(text []byte) ([]byte, error) { return seal.DropKey(text, oldest) },
	} {
		if err := seal.UpdateKeyFile(name, step); err != nil {
			fmt.Println(err)
			return
		}
	}
	ring, err := seal.LoadKeyFile(name)
	fmt.Println(ring.Active().ID() == next, err)
	// Output: true <nil>
}
