package dialog

import (
	"os"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/muesli/cancelreader"
)

// settling is how long keys are dropped when a dialog appears: what was typed
// before it could be read is no answer to it.
const settling = 75 * time.Millisecond

// keyboard is a terminal as input of one program. Its reads are over when stop
// returns; Bubble Tea's own reader may still wait for input then, and take the
// first key from the next program. It has no name on purpose: Bubble Tea puts
// its own reader over what has one.
type keyboard struct {
	file  *os.File
	keys  cancelreader.CancelReader
	since time.Time
	read  sync.Mutex // held during Read
}

func newKeyboard(file *os.File) (*keyboard, error) {
	keys, err := uv.NewCancelReader(file)
	if err != nil {
		return nil, err
	}
	return &keyboard{file: file, keys: keys, since: time.Now()}, nil
}

func (k *keyboard) Read(p []byte) (int, error) {
	k.read.Lock()
	defer k.read.Unlock()
	for {
		n, err := k.keys.Read(p)
		if err != nil || time.Since(k.since) > settling {
			return n, err
		}
	}
}

func (k *keyboard) Write(p []byte) (int, error) { return k.file.Write(p) }
func (k *keyboard) Fd() uintptr                 { return k.file.Fd() }
func (k *keyboard) Close() error                { return nil } // the terminal stays open

func (k *keyboard) stop() {
	if k.keys.Cancel() {
		k.read.Lock()
		defer k.read.Unlock()
	}
	k.keys.Close()
}
