// Package server is how the server is reached that somebody has named.
package server

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// Server is reached by its URL, or by the command that it is. As JSON it is part
// of a saved call.
type Server struct {
	URL     string   `json:"url,omitempty"`
	Command []string `json:"command,omitempty"` // no shell sees it
	Dir     string   `json:"dir,omitempty"`     // where the command runs
	Label   string   `json:"label"`             // the host's name for it, never what it says of itself

	// A proposal that it follows, and the protocol versions that may be spoken, the
	// preferred one first; see [parley.SessionOptions]. Empty means as everybody does.
	Dialect  engine.Dialect `json:"dialect,omitempty"`
	Versions []string       `json:"versions,omitempty"`
}

// maxLabel bounds the name of a server, in characters.
const maxLabel = 100

// SetLabel makes the label fit to be shown, and sets it where there is none.
func (s *Server) SetLabel() {
	if s.Label == "" {
		s.Label = s.Name()
	}
	s.Label = plain.Line(s.Label, maxLabel)
}

// Flags say what the server speaks, if you know it.
func (s *Server) Flags() []flags.Flag {
	return []flags.Flag{
		{Name: "protocol-version", Value: "VERSION", To: &s.Versions,
			Text: "a version that may be spoken with the server, the preferred one first; may be repeated (default: all that Parley knows)"},
		{Name: "dialect", Value: "NAME", To: (*string)(&s.Dialect),
			Text: "a proposal from before 2026-07-28 that the server follows: SEP-2322, SEP-2322-draft, SEP-2322-draft-camel or SEP-1685. With SEP-2322, versions may be the server's own"},
	}
}

// Name is what the server is called unless the person has a name for it. It
// tells no secret, as a command's arguments or the rest of a URL might.
func (s *Server) Name() string {
	if u := HTTPURL(s.URL); u != nil {
		return u.Host
	}
	return strings.TrimSuffix(filepath.Base(s.Command[0]), ".exe")
}

// HTTPURL is what a text says if it is the address of a server, nil if not.
func HTTPURL(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	return u
}

// StdioPeer is what the names of commands begin with in a snapshot.
const StdioPeer = "stdio:"

// Peer is the server's name in a snapshot, so that no answer goes anywhere
// else: its address, or of a command a hash, because there is no bound to its
// length.
func (s *Server) Peer() string {
	if s.Command == nil {
		return s.URL
	}
	words := append([]string{s.Dir}, s.Command...)
	return fmt.Sprintf(StdioPeer+"%x", sha256.Sum256([]byte(strings.Join(words, "\x00"))))
}

// grace is how long a command has to end when it is told to, and again before
// it is killed.
const grace = 3 * time.Second

// Transport makes the connection. client, which may be nil, makes the requests
// to an address; what a command writes to its standard error goes to log.
func (s *Server) Transport(client *http.Client, log io.Writer) parley.Transport {
	if s.Command == nil {
		return &parley.StreamableHTTP{URL: s.URL, Client: client}
	}
	return &parley.Stdio{Grace: grace, Command: func() *exec.Cmd {
		cmd := exec.Command(s.Command[0], s.Command[1:]...)
		cmd.Dir, cmd.Stderr = s.Dir, log
		system.Detach(cmd) // its end is the program's to bring about, in order: Ctrl-C is not for it, nor is the terminal
		return cmd
	}}
}
