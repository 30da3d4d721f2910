package interop

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// Era is a generation of the protocol.
type Era string

// The protocol's eras.
const (
	Modern Era = "modern" // 2026-07-28: rounds
	Legacy Era = "legacy" // earlier: sessions, and requests of the server's own
)

// Patience is how long anything may take. Nobody waits for it on a good day.
const Patience = 3 * time.Minute

// Transport is how a server is reached.
type Transport string

// The transports that every server has.
const (
	HTTP  Transport = "http" // Streamable HTTP
	Stdio Transport = "stdio"
)

// Server is one of the servers, in one era.
type Server struct {
	Name string // of its directory
	Era  Era
}

// Servers returns all there are.
func Servers() []Server {
	return []Server{
		{"gosdk", Modern}, {"gosdk", Legacy},
		{"ts", Modern}, {"ts", Legacy},
		{"ts-legacy", Legacy},
		{"python", Modern}, {"python", Legacy},
		{"rust", Modern}, {"rust", Legacy},
	}
}

func (s Server) String() string { return s.Name + "@" + string(s.Era) }

// Cases returns the calls the server answers, each with ids of its own.
func (s Server) Cases(over Transport) []Case {
	return slices.DeleteFunc(cases(s.Era, over), func(c Case) bool {
		return s.Name == "rust" && c.Tool == "cut_stream" // rmcp gives handlers no way to end a response's stream
	})
}

// Start runs the server over HTTP until the test ends, and returns its URL.
func (s Server) Start(t testing.TB, flags ...string) (url string) {
	t.Helper()
	SetUp(t, s.Name)
	return Serve(t, s.command(append([]string{"--http", "0"}, flags...)...)...)
}

// Workers runs several processes of one service, which finish each other's
// rounds, until the test ends, and returns a URL under which each request
// reaches the next of them. They remember nothing together: see
// [Case.AnyWorker].
func Workers(t testing.TB, n int) (url string) {
	t.Helper()
	server := Server{"python", Modern}
	backends := make([]string, n)
	for i := range backends {
		backends[i] = server.Start(t, server.key()...)
	}
	return balance(t, backends)
}

// Command returns the command that runs the server over stdio.
func (s Server) Command(t testing.TB) []string {
	t.Helper()
	SetUp(t, s.Name)
	return s.command(append([]string{"--stdio"}, s.key()...)...)
}

func (s Server) command(flags ...string) []string {
	if s.Era == Legacy {
		flags = append(flags, "--legacy")
	}
	return append([]string{run, "--ready", "server", s.Name}, flags...)
}

// Tools returns the command of the server whose tools say how they run.
func Tools(flags ...string) []string {
	return append([]string{run, "--ready", "tools", "ts-legacy"}, flags...)
}

// run is the script beside this file: every test runs in a directory of the repository.
var run = func() string {
	dir, _ := os.Getwd()
	for {
		script := filepath.Join(dir, "tests", "interop", "run.sh")
		if _, err := os.Stat(script); err == nil || dir == filepath.Dir(dir) {
			return script
		}
		dir = filepath.Dir(dir)
	}
}()

var ready sync.Map // names to func() error, which set up once

// SetUp prepares what a server and the client of its SDK need, or Parley's
// client in JavaScript, or skips the test where that cannot be had.
func SetUp(t testing.TB, name string) {
	t.Helper()
	once, _ := ready.LoadOrStore(name, sync.OnceValue(func() error {
		out, err := exec.Command(run, "setup", name).CombinedOutput()
		if err != nil {
			return fmt.Errorf("setting up %s: %w\n%s", name, err, bytes.TrimSpace(out))
		}
		return nil
	}))
	err := once.(func() error)()
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit) && exit.ExitCode() == 77 && os.Getenv("CI") != "true":
		t.Skip(err)
	default:
		t.Fatal(err)
	}
}
