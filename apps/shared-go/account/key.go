package account

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/oauth"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// box seals accounts with a key that is in the system's keyring or, where there
// is none, in a file beside them. Which one it is was decided when the first
// account was kept, and stays so.
type box struct {
	dir   string
	files *oauth.Files // whose lock is for the decision, too

	mu   sync.Mutex
	kept *codec.Box // of the keyring, which may have asked the person for a password
}

const (
	placeFile   = "key-place" // says where the key is
	keyFile     = "accounts.key"
	inKeyring   = "keyring"
	inFile      = "file"
	service     = "parley accounts" // in the keyring
	keyringLock = "key-place"
)

// patience is how long a keyring may take, which may ask the person to unlock
// it.
const patience = 2 * time.Minute

// SealBytes implements [oauth.Box].
func (b *box) SealBytes(plaintext, context []byte) ([]byte, error) {
	box, err := b.load(true)
	if err != nil {
		return nil, err
	}
	return box.SealBytes(plaintext, context)
}

// OpenBytes implements [oauth.Box].
func (b *box) OpenBytes(sealed, context []byte) ([]byte, error) {
	box, err := b.load(false)
	if err != nil {
		return nil, err
	}
	return box.OpenBytes(sealed, context)
}

// load finds the key, and makes one if there is none and it may.
func (b *box) load(create bool) (oauth.Box, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.kept != nil {
		return b.kept, nil
	}
	place, err := b.place()
	if errors.Is(err, fs.ErrNotExist) && create {
		place, err = b.decide()
	}
	if err != nil {
		return nil, err
	}
	if place == inFile {
		return b.file(), nil
	}
	text, err := patiently(func() (string, error) { return keyring.Get(service, b.dir) })
	if err != nil {
		return nil, fmt.Errorf("the key of your accounts is in the system's keyring, which does not give it out (%w). "+
			"Unlock the keyring; if the key is lost, delete %s and sign in again", err, b.dir)
	}
	b.kept, err = unpack([]byte(text))
	return b.kept, err
}

func (b *box) file() oauth.Box {
	return &seal.KeyFileBox{Name: filepath.Join(b.dir, keyFile), Create: true}
}

func unpack(text []byte) (*codec.Box, error) {
	ring, err := codec.ParseKeyRing(text)
	if err != nil {
		return nil, err
	}
	return codec.NewBox(ring)
}

// place is where the key is. It fails with [fs.ErrNotExist] if nobody has
// decided yet.
func (b *box) place() (string, error) {
	name := filepath.Join(b.dir, placeFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	switch place := strings.TrimSpace(string(text)); place {
	case inKeyring, inFile:
		return place, nil
	}
	return "", fmt.Errorf("%s should say %s or %s", name, inKeyring, inFile)
}

// decide makes a key: in the keyring, or in a file if that fails.
func (b *box) decide() (string, error) {
	unlock, err := b.files.Lock(context.Background(), keyringLock) // which makes the directory
	if err != nil {
		return "", err
	}
	defer unlock()
	if place, err := b.place(); !errors.Is(err, fs.ErrNotExist) { // somebody was first
		return place, err
	}
	place := inFile
	if hasKeyring() {
		text, err := seal.GenerateKey(codec.SuiteXChaCha)
		if err != nil {
			return "", err
		}
		defer clear(text)
		if _, err = patiently(func() (string, error) { return "", keyring.Set(service, b.dir, string(text)) }); err == nil {
			place = inKeyring
		}
	}
	return place, b.remember(place)
}

// remember writes the place down, whole or not at all.
func (b *box) remember(place string) error {
	f, err := os.CreateTemp(b.dir, ".key-place-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(place + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(b.dir, placeFile))
}

// hasKeyring reports whether there may be a keyring. Where there is no message
// bus, asking for one would start one.
func hasKeyring() bool {
	switch runtime.GOOS {
	case "darwin", "windows":
		return true
	}
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	_, err := os.Stat(filepath.Join(dir, "bus"))
	return dir != "" && err == nil
}

var errPatience = errors.New("it did not answer")

// patiently does not wait for ever: nothing bounds what a keyring does.
func patiently(ask func() (string, error)) (string, error) {
	type answer struct {
		text string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		text, err := ask()
		answered <- answer{text, err}
	}()
	select {
	case a := <-answered:
		return a.text, a.err
	case <-time.After(patience):
		return "", errPatience
	}
}
