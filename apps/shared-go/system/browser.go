package system

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// patience is how long a command may take to say that it cannot open a page.
// One that still runs by then is the browser itself, say.
const patience = 2 * time.Second

// OpenPage gives url, which begins with http, to a command as its last argument. If
// command is nil, it takes those that BROWSER names in the environment, or else
// the system's way of opening pages. The command outlives the program.
func OpenPage(command []string, url string) error {
	if command != nil {
		return start(append(command[:len(command):len(command)], url))
	}
	err := errors.New("BROWSER names no command")
	for _, command := range commands(os.Getenv("BROWSER"), url) {
		if err = start(command); err == nil {
			return nil
		}
	}
	return err
}

func start(words []string) error {
	cmd := exec.Command(words[0], words[1:]...)
	Detach(cmd)
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

// commands are what to try. BROWSER is a list as Unix programs have it: commands
// divided by colons, with %s for the address, which else comes last.
func commands(list, url string) (commands [][]string) {
	if runtime.GOOS == "windows" || strings.Trim(list, ": ") == "" {
		return [][]string{append(opener(), url)}
	}
	for command := range strings.SplitSeq(list, ":") {
		words := strings.Fields(command)
		if len(words) == 0 {
			continue
		}
		if !strings.Contains(command, "%s") {
			words = append(words, "%s")
		}
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "%s", url)
		}
		commands = append(commands, words)
	}
	return commands
}

func opener() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return []string{"xdg-open"}
}
