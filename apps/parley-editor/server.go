package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/parley-mcp/parley/apps/internal/plain"

	parley "github.com/parley-mcp/parley/hosts/go"
)

// server is how a server is reached: by its URL, or by the command that it is.
// In a parked call it is the same JSON as in apps/parley's.
type server struct {
	URL     string   `json:"url,omitempty"`
	Command []string `json:"command,omitempty"` // no shell sees it
	Dir     string   `json:"dir,omitempty"`     // where the command runs
	Label   string   `json:"label"`             // the host's name for it, never what it says of itself
}

// mostLabel bounds the name of a server, in characters.
const mostLabel = 100

// complete fills in what the editor left out, or says what is wrong.
func (s *server) complete() error {
	switch {
	case s.URL != "" && s.Command != nil:
		return wrong("a server has a url or a command, not both")
	case s.URL != "":
		if httpURL(s.URL) == nil {
			return wrong("the server's url is no http or https URL, such as http://127.0.0.1:8080/mcp")
		}
	case len(s.Command) == 0 || s.Command[0] == "":
		return wrong("the request names no server: give it a url or a command")
	case s.Dir == "":
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		s.Dir = dir
	case !filepath.IsAbs(s.Dir):
		return wrong("the server's dir is no absolute path")
	}
	if s.Label == "" {
		s.Label = s.name()
	}
	s.Label = plain.Line(s.Label, mostLabel)
	return nil
}

// httpURL is what a text says if it is the address of a server, nil if not.
func httpURL(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	return u
}

// name is what the server is called unless the person has a name for it. It
// tells no secret, as a command's arguments or the rest of a URL might.
func (s *server) name() string {
	if u := httpURL(s.URL); u != nil {
		return u.Host
	}
	return strings.TrimSuffix(filepath.Base(s.Command[0]), ".exe")
}

// peer is the server's name in a snapshot, so that no answer goes anywhere
// else: its address, or of a command a hash, because there is no bound to its
// length.
func (s *server) peer() string {
	if s.Command == nil {
		return s.URL
	}
	words := append([]string{s.Dir}, s.Command...)
	return fmt.Sprintf("stdio:%x", sha256.Sum256([]byte(strings.Join(words, "\x00"))))
}

// grace is how long a command has to end when it is told to, and again before
// it is killed.
const grace = 3 * time.Second

// transport makes the connection. What a command writes to its standard error
// goes to log.
func (s *server) transport(log io.Writer) parley.Transport {
	if s.Command == nil {
		return &parley.StreamableHTTP{URL: s.URL}
	}
	return &parley.Stdio{Grace: grace, Command: func() *exec.Cmd {
		cmd := exec.Command(s.Command[0], s.Command[1:]...)
		cmd.Dir, cmd.Stderr = s.Dir, log
		detach(cmd) // the terminal is the editor's: its keys and its screen are not for the command
		return cmd
	}}
}
