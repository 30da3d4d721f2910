package redis_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store/redis"
)

// server is a Redis of a test's own, on a free port, in a folder of its own.
type server struct {
	t    testing.TB
	port int
	dir  string
	user string // and a password, with an @
	args []string
	cmd  *exec.Cmd
}

// start starts one, and stops it when the test is over. Debian has the program
// in the package redis-tools, under another name: it looks at what it is called.
func start(t testing.TB, args ...string) *server {
	t.Helper()
	s := &server{t: t, dir: t.TempDir(), args: args}
	for range 10 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s.port = l.Addr().(*net.TCPAddr).Port
		l.Close()
		if s.run() { // else somebody else got the port
			t.Cleanup(s.kill)
			return s
		}
	}
	t.Fatal("no Redis starts")
	return nil
}

func (s *server) run() bool {
	s.t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		path, err = exec.LookPath("redis-check-rdb")
	}
	if err != nil {
		s.t.Fatal("there is no redis-server on the PATH: ./test.sh setup installs it")
	}
	s.cmd = exec.Command(path)
	s.cmd.Args = append([]string{"redis-server", "--bind", "127.0.0.1", "--port", strconv.Itoa(s.port), "--dir", s.dir, "--save", ""}, s.args...)
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { s.cmd.Wait(); close(ended) }()
	for {
		if reply, err := s.try("PING"); err == nil || strings.HasPrefix(reply, "-NOAUTH") {
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (s *server) kill() { s.cmd.Process.Kill() }

// killAndStart has it die at once and begin again, with what it had written.
func (s *server) killAndStart() {
	s.t.Helper()
	s.kill()
	for {
		if _, err := s.try("PING"); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if !s.run() {
		s.t.Fatal("Redis does not start again")
	}
}

func (s *server) url(parameters string) string {
	return fmt.Sprintf("redis://%s127.0.0.1:%d%s", s.user, s.port, parameters)
}

// try sends a command over a connection of its own, and returns what comes back
// at once.
func (s *server) try(words ...string) (string, error) {
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	fmt.Fprintf(conn, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(conn, "$%d\r\n%s\r\n", len(word), word)
	}
	lines := bufio.NewReader(conn)
	line, err := lines.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimSpace(line)
	if moved, elsewhere := strings.CutPrefix(line, "-MOVED "); elsewhere { // a cluster's
		_, at, _ := strings.Cut(moved, " ")
		_, port, _ := strings.Cut(at, ":")
		other := &server{t: s.t}
		other.port, _ = strconv.Atoi(port)
		return other.try(words...)
	}
	switch {
	case strings.HasPrefix(line, "-"):
		return line, errors.New(line)
	case strings.HasPrefix(line, "$") && line != "$-1":
		n, _ := strconv.Atoi(line[1:])
		text := make([]byte, n)
		for at := 0; at < n; {
			more, err := lines.Read(text[at:])
			if err != nil {
				return "", err
			}
			at += more
		}
		return string(text), nil
	}
	return line, nil
}

func (s *server) do(words ...string) string {
	s.t.Helper()
	reply, err := s.try(words...)
	if err != nil {
		s.t.Fatalf("%s: %v", words[0], err)
	}
	return reply
}

// commands is how many the server has run, by its own count.
func (s *server) commands() (n int) {
	s.t.Helper()
	for line := range strings.Lines(s.do("INFO", "commandstats")) {
		name, rest, _ := strings.Cut(line, ":calls=")
		calls, _, ok := strings.Cut(rest, ",")
		if ok && name != "cmdstat_info" && name != "cmdstat_ping" {
			more, err := strconv.Atoi(calls)
			if err != nil {
				s.t.Fatal(err)
			}
			n += more
		}
	}
	return n
}

var lastPrefix atomic.Int64

// newPrefix is for the keys of one test.
func newPrefix() string { return fmt.Sprint("test", lastPrefix.Add(1)) }

func open(t testing.TB, url string, o redis.Options) *redis.Store {
	t.Helper()
	if o.Box == nil {
		o.Unsealed = true
	}
	s, err := redis.Open(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t testing.TB, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// wantSaid checks that an error says something, and nothing of a password.
func wantSaid(t testing.TB, what string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%s: got %v, want %q", what, err, want)
	}
}
