package seal

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/codec"
)

// GenerateKey makes a key of a suite, of 32 bytes from crypto/rand: a line for
// a key file, and a whole key file by itself. It is a secret; wipe it.
func GenerateKey(suite byte) ([]byte, error) {
	secret := make([]byte, codec.MinSecret)
	defer clear(secret)
	rand.Read(secret) // which never fails
	if _, err := codec.NewKey(suite, secret); err != nil {
		return nil, err
	}
	return codec.AppendKey(nil, suite, secret), nil
}

// NewProcessRing is a ring of one new key that no other process has: what it
// seals opens in this process only, and never again when that ends. A
// [codec.Guard] with it is ProcessLocal and needs no Audience.
func NewProcessRing() (*codec.KeyRing, error) {
	line, err := GenerateKey(codec.SuiteXChaCha)
	if err != nil {
		return nil, err
	}
	defer clear(line)
	return codec.ParseKeyRing(line)
}

// AcceptKey adds a new key of a suite to the text of a key file: it opens, and
// does not mint yet. It is the first of the three steps in which a server's keys
// are rotated. After each of them the new file goes to every instance of the
// server, before the next one:
//
//  1. AcceptKey: all instances open what the new key will seal.
//  2. [ActivateKey]: they mint with it.
//  3. [DropKey]: when the last state minted with the old key has expired, the
//     Guard's TTL after the last instance took step 2.
//
// [UpdateKeyFile] applies a step to a file, [SwapCodec] to a running server.
func AcceptKey(file []byte, suite byte) ([]byte, codec.KeyID, error) {
	line, err := GenerateKey(suite)
	if err != nil {
		return nil, codec.KeyID{}, err
	}
	defer clear(line)
	ring, err := codec.ParseKeyRing(line)
	if err != nil {
		return nil, codec.KeyID{}, err
	}
	changed := make([]byte, 0, len(file)+1+len(line))
	changed = append(changed, file...)
	if n := len(changed); n > 0 && changed[n-1] != '\n' {
		changed = append(changed, '\n')
	}
	changed, err = checked(append(changed, line...))
	return changed, ring.Active().ID(), err
}

// ActivateKey makes the key with this id the one that mints.
func ActivateKey(file []byte, id codec.KeyID) ([]byte, error) {
	line, rest, err := cutKey(file, id)
	if err != nil {
		return nil, err
	}
	defer clear(rest)
	first, _ := nextKey(rest)
	changed := make([]byte, 0, len(file)+1)
	changed = append(changed, rest[:first]...)
	changed = append(append(changed, bytes.TrimSuffix(line, []byte("\n"))...), '\n')
	return checked(append(changed, rest[first:]...))
}

// DropKey removes the key with this id. It fails for the one that mints.
func DropKey(file []byte, id codec.KeyID) ([]byte, error) {
	ring, err := codec.ParseKeyRing(file)
	if err != nil {
		return nil, err
	}
	if ring.Active().ID() == id {
		return nil, errors.New("seal: the key that mints cannot be dropped: make another one active first")
	}
	_, rest, err := cutKey(file, id)
	if err != nil {
		return nil, err
	}
	return checked(rest)
}

// cutKey returns the line of a key, and a copy of the file without it.
func cutKey(file []byte, id codec.KeyID) (line, rest []byte, err error) {
	if _, err := codec.ParseKeyRing(file); err != nil {
		return nil, nil, err
	}
	for at := 0; ; {
		start, end := nextKey(file[at:])
		start, end = at+start, at+end
		if start == len(file) {
			return nil, nil, fmt.Errorf("seal: the key file has no key %x", id)
		}
		ring, err := codec.ParseKeyRing(file[start:end])
		if err != nil {
			return nil, nil, err
		}
		if ring.Active().ID() == id {
			rest = make([]byte, 0, len(file))
			return file[start:end], append(append(rest, file[:start]...), file[end:]...), nil
		}
		at = end
	}
}

// nextKey finds the first line that holds a key, with its line feed; both are
// the end of the text where there is none.
func nextKey(text []byte) (start, end int) {
	for start < len(text) {
		end = len(text)
		if n := bytes.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		if c := text[start]; c != '#' && c != '\n' {
			return start, end
		}
		start = end
	}
	return len(text), len(text)
}

func checked(file []byte) ([]byte, error) {
	if _, err := codec.ParseKeyRing(file); err != nil {
		clear(file)
		return nil, err
	}
	return file, nil
}
