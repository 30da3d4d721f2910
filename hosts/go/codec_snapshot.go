package parley

import (
	"errors"
	"io/fs"

	"github.com/parley-mcp/parley/codec"
)

// ErrUnsealed says that a snapshot in a store whose snapshots are sealed is not.
var ErrUnsealed = errors.New("parley: the snapshot is not sealed")

// SealSnapshots is the Seal and Open of a [FileStore] whose snapshots nobody can
// read or change without the keys of box, nor pass off as another call's. That
// an older snapshot of the same call is put back does not show.
//
//	store.Seal, store.Open = parley.SealSnapshots(box)
//
// Open fails with [ErrUnsealed] for what was saved before there were keys: to
// accept it would let whoever can write the file forge one.
func SealSnapshots(box Box) (seal, open func(id string, data []byte) ([]byte, error)) {
	under := func(id string) []byte { return append([]byte(codec.ContextSnapshot), id...) }
	seal = func(id string, data []byte) ([]byte, error) { return box.SealBytes(data, under(id)) }
	open = func(id string, data []byte) ([]byte, error) {
		if len(data) > 0 && data[0] == '{' { // no suite, and what every snapshot begins with
			return nil, ErrUnsealed
		}
		return box.OpenBytes(data, under(id))
	}
	return seal, open
}

// KeyFileBox is a [Box] whose keys are in a file, which is read for every call:
// processes that share a store need not be told of a rotation. See [ReadKeyFile]
// for what the file must be like.
type KeyFileBox struct {
	Name string

	// Create makes the file, with a new key, where SealBytes finds none.
	Create bool
}

// SealBytes implements [Box].
func (b *KeyFileBox) SealBytes(plaintext, context []byte) ([]byte, error) {
	box, err := b.load()
	if b.Create && errors.Is(err, fs.ErrNotExist) {
		if err = b.create(); err == nil {
			box, err = b.load()
		}
	}
	if err != nil {
		return nil, err
	}
	return box.SealBytes(plaintext, context)
}

// OpenBytes implements [Box].
func (b *KeyFileBox) OpenBytes(box, context []byte) ([]byte, error) {
	loaded, err := b.load()
	if err != nil {
		return nil, err
	}
	return loaded.OpenBytes(box, context)
}

func (b *KeyFileBox) load() (*codec.Box, error) {
	ring, err := LoadKeyFile(b.Name)
	if err != nil {
		return nil, err
	}
	return codec.NewBox(ring)
}

func (b *KeyFileBox) create() error {
	line, err := GenerateKey(codec.SuiteXChaCha)
	if err != nil {
		return err
	}
	defer clear(line)
	if err := CreateKeyFile(b.Name, line); !errors.Is(err, fs.ErrExist) { // another process was first
		return err
	}
	return nil
}
