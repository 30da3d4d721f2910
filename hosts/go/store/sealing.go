package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/parley-mcp/parley/codec"
)

// Box seals bytes at rest: a [codec.Box], or one of package seal. It may be a
// [Tagger] as well.
type Box interface {
	SealBytes(plaintext, context []byte) ([]byte, error)
	OpenBytes(box, context []byte) ([]byte, error)
}

// Tagger is a Box with several keys. Tags seals a text under a context with each
// of them, the one that seals first, the same text always alike. Of a Box without
// it, SealBytes must seal alike, or lists by principal find nothing; those with
// suite 11 do.
type Tagger interface {
	Tags(plaintext, context []byte) ([][]byte, error)
}

// Sealing is how an implementation of [Store] seals what it keeps.
type Sealing struct {
	// Box seals snapshots and what is said about them: without its keys nobody
	// can read or change one, nor pass it off as another call's. An older
	// snapshot of the same call can be put back unnoticed.
	Box Box

	// Unsealed accepts snapshots that are not sealed. Without a Box nothing is:
	// whoever can read the store reads secrets. With one, only what was saved
	// before there was one; anybody who can write to the store could forge it.
	Unsealed bool
}

// Check fails with [ErrNoBox].
func (s Sealing) Check() error {
	if s.Box == nil && !s.Unsealed {
		return ErrNoBox
	}
	return nil
}

// Sealed is a call as it lies in a store.
type Sealed struct {
	Snapshot []byte
	About    []byte // nil if what was said before stays
	Tag      string // of the principal: 32 hexadecimal digits, empty for nobody's
}

const (
	contextAbout     = "parley-about/1"     // and the call's id
	contextPrincipal = "parley-principal/1" // of what tags are made of
)

// Seal makes of a call what is stored.
func (s Sealing) Seal(id string, snapshot []byte, about About) (c Sealed, err error) {
	if err := s.Check(); err != nil {
		return c, err
	}
	c.Snapshot = snapshot
	if s.Box != nil {
		c.Snapshot, err = s.Box.SealBytes(snapshot, under(codec.ContextSnapshot, id))
	}
	if err != nil || about.IsZero() {
		return c, err
	}
	if c.About, err = about.text(); err != nil {
		return c, err
	}
	if s.Box != nil {
		if c.About, err = s.Box.SealBytes(c.About, under(contextAbout, id)); err != nil {
			return c, err
		}
	}
	if about.Principal != "" {
		tags, err := s.Tags(about.Principal)
		if err != nil {
			return c, err
		}
		c.Tag = tags[0]
	}
	return c, nil
}

// Tags are what stands for a principal in a store, under each key that opens, the
// one that seals first. Without a key nobody can tell whom they stand for.
func (s Sealing) Tags(principal string) (tags []string, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	sealed := [][]byte{[]byte(contextPrincipal + principal)}
	if tagger, ok := s.Box.(Tagger); ok {
		sealed, err = tagger.Tags([]byte(principal), []byte(contextPrincipal))
	} else if s.Box != nil {
		sealed[0], err = s.Box.SealBytes([]byte(principal), []byte(contextPrincipal))
	}
	if err == nil && len(sealed) == 0 {
		err = errors.New("store: the Box has no key")
	}
	for _, one := range sealed {
		sum := sha256.Sum256(one)
		tags = append(tags, hex.EncodeToString(sum[:16]))
	}
	return tags, err
}

// OpenSnapshot opens a snapshot as it was stored.
func (s Sealing) OpenSnapshot(id string, data []byte) ([]byte, error) {
	return s.open(codec.ContextSnapshot, id, data)
}

// OpenAbout opens what was said about a call as it was stored. Nothing is the
// zero value.
func (s Sealing) OpenAbout(id string, data []byte) (About, error) {
	if len(data) == 0 {
		return About{}, nil
	}
	text, err := s.open(contextAbout, id, data)
	if err != nil {
		return About{}, err
	}
	return readAbout(text)
}

func (s Sealing) open(context, id string, data []byte) ([]byte, error) {
	switch {
	case s.Box == nil && !s.Unsealed:
		return nil, ErrNoBox
	case s.Box == nil:
		return data, nil
	case len(data) == 0 || data[0] != '{': // what is not sealed begins so, and no suite does
		return s.Box.OpenBytes(data, under(context, id))
	case s.Unsealed:
		return data, nil
	}
	return nil, ErrUnsealed
}

// under binds a call's id into the seal.
func under(context, id string) []byte { return append([]byte(context), id...) }
