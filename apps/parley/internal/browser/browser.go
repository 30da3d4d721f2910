// Package browser opens a page, without a shell: the address is one argument.
package browser

import (
	"os/exec"
	"runtime"
	"time"

	"github.com/parley-mcp/parley/apps/desk/detach"
)

// patience is how long a command may take to say that it cannot open a page.
// One that still runs by then is the browser itself, say.
const patience = 2 * time.Second

// Open gives url, which begins with http, to a command as its last argument, or
// to the system's way of opening pages if command is nil. The command outlives
// the program.
func Open(command []string, url string) error {
	if command == nil {
		command = system()
	}
	cmd := exec.Command(command[0], append(command[1:len(command):len(command)], url)...)
	detach.Command(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	select {
	case err := <-over:
		return err
	case <-time.After(patience):
		return nil
	}
}

func system() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return []string{"xdg-open"}
}
