package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parley-mcp/parley/apps/parley/internal/detach"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// server is how a server is reached: by its URL, or by the command that it is.
type server struct {
	URL     string   `json:"url,omitempty"`
	Command []string `json:"command,omitempty"` // no shell sees it
	Dir     string   `json:"dir,omitempty"`     // where the command runs
}

// urlServer is the server at an address.
func urlServer(text string) (server, error) {
	if u := httpURL(text); u == nil {
		return server{}, fmt.Errorf("%q is no http or https URL, such as http://127.0.0.1:8080/mcp; a server that is a command comes last, after --", text)
	}
	return server{URL: text}, nil
}

// httpURL is what a text says if it is the address of a server, nil if not.
func httpURL(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	return u
}

// commandServer is the server that a command is. It runs where parley does,
// also when a call is gone on with from elsewhere.
func commandServer(words []string) (server, error) {
	switch {
	case len(words) == 0 || words[0] == "":
		return server{}, errors.New("there is no command after --")
	case slices.ContainsFunc(words, func(w string) bool { return !utf8.ValidString(w) }):
		return server{}, errors.New("the command after -- is not UTF-8")
	}
	dir, err := os.Getwd()
	return server{Command: words, Dir: dir}, err
}

// label is what the server is called unless the person has a name for it. It
// tells no secret, as a command's arguments or the rest of a URL might.
func (s server) label() string {
	if u := httpURL(s.URL); u != nil {
		return u.Host
	}
	return strings.TrimSuffix(filepath.Base(s.Command[0]), ".exe")
}

// stdioPeer is what the names of commands begin with in a snapshot.
const stdioPeer = "stdio:"

// peer is the server's name in a snapshot, so that no answer goes anywhere
// else: its address, or of a command a hash, because there is no bound to its
// length.
func (s server) peer() string {
	if s.Command == nil {
		return s.URL
	}
	words := append([]string{s.Dir}, s.Command...)
	return fmt.Sprintf(stdioPeer+"%x", sha256.Sum256([]byte(strings.Join(words, "\x00"))))
}

// grace is how long a command has to end when it is told to, and again before
// it is killed.
const grace = 3 * time.Second

// transport makes the connection. What a command writes to its standard error
// goes to log; redirected is the CheckRedirect of an address.
func (s server) transport(log io.Writer, redirected func(*http.Request, []*http.Request) error) parley.Transport {
	if s.Command == nil {
		return &parley.StreamableHTTP{URL: s.URL, Client: &http.Client{CheckRedirect: redirected}}
	}
	return &parley.Stdio{Grace: grace, Command: func() *exec.Cmd {
		cmd := exec.Command(s.Command[0], s.Command[1:]...)
		cmd.Dir, cmd.Stderr = s.Dir, log
		detach.Command(cmd) // Ctrl-C is for parley, which ends the command in order
		return cmd
	}}
}
