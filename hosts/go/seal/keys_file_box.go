package seal

import (
	"errors"
	"io/fs"

	"github.com/parley-mcp/parley/codec"
)

// KeyFileBox seals bytes at rest, such as the snapshots of a store. Its keys are in
// a file, which is read for every call:
// processes that share a store need not be told about a rotation. See
// [ReadKeyFile] for what the file must be like.
type KeyFileBox struct {
	Name string

	// Create makes the file, with a new key, if SealBytes finds none.
	Create bool
}

// SealBytes seals plaintext as [codec.Box.SealBytes] does.
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

// OpenBytes opens what SealBytes made under the same context.
func (b *KeyFileBox) OpenBytes(box, context []byte) ([]byte, error) {
	loaded, err := b.load()
	if err != nil {
		return nil, err
	}
	return loaded.OpenBytes(box, context)
}

// Tags seals plaintext under a context with each key of the file that can, that
// which seals first: the same plaintext always alike, so that a store finds what
// was kept before a rotation.
func (b *KeyFileBox) Tags(plaintext, context []byte) ([][]byte, error) {
	if _, err := b.SealBytes(nil, nil); err != nil { // which makes the file
		return nil, err
	}
	ring, err := LoadKeyFile(b.Name)
	if err != nil {
		return nil, err
	}
	var tags [][]byte
	for _, key := range ring.Keys() {
		if key.Suite() != codec.SuiteXChaCha {
			continue
		}
		one, err := codec.NewKeyRing(key)
		if err != nil {
			return nil, err
		}
		box, err := codec.NewBox(one)
		if err != nil {
			return nil, err
		}
		tag, err := box.SealBytes(plaintext, context)
		if err != nil {
			return nil, err
		}
		tags = append(tags, tag)
	}
	return tags, nil
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
