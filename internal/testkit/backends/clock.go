//go:build linux

package backends

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// ErrNoClock says that servers cannot be told another time of day here.
var ErrNoClock = errors.New("there is no C compiler (cc), so that no server can be told another time of day")

// clockSource is a library that a server is started with. It is C, because it stands
// in for functions of the system's; not a file that the go command would compile.
//
//go:embed clock.c.txt
var clockSource []byte

// Clock is a time of day for servers, which can be set while they run. What they
// measure time with stays as it is.
type Clock struct {
	library string
	file    *os.File
	ahead   time.Duration
}

// NewClock makes one, in a folder that the servers can read. It fails with
// [ErrNoClock] where there is no compiler.
func NewClock(dir string) (*Clock, error) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return nil, ErrNoClock
	}
	source, library := filepath.Join(dir, "clock.c"), filepath.Join(dir, "clock.so")
	if err := os.WriteFile(source, clockSource, 0o600); err != nil {
		return nil, err
	}
	if said, err := exec.Command(compiler, "-shared", "-fPIC", "-O1", "-o", library, source).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compiling the clock: %w: %.2000s", err, said)
	}
	file, err := os.OpenFile(filepath.Join(dir, "clock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	c := &Clock{library: library, file: file}
	return c, c.Step(0)
}

// Step sets the time of day, ahead or back of what it is, by whole seconds.
func (c *Clock) Step(by time.Duration) error {
	c.ahead += by
	_, err := c.file.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(c.ahead/time.Second)), 0)
	return err
}

func (c *Clock) environment() []string {
	return []string{"LD_PRELOAD=" + c.library, "BACKENDS_CLOCK=" + c.file.Name()}
}
