package redis_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/store/redis"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// server is a Redis of a test's own.
type server struct {
	*backends.Redis
	t testing.TB
}

// start starts one, and stops it when the test is over.
func start(t testing.TB, args ...string) *server {
	t.Helper()
	s, err := backends.NewRedis(t.TempDir(), args...)
	must(t, err)
	t.Cleanup(s.Kill)
	return &server{s, t}
}

// killAndStart has it die at once and begin again, with what it had written.
func (s *server) killAndStart() {
	s.t.Helper()
	s.Kill()
	must(s.t, s.Start())
}

func (s *server) do(words ...string) string {
	s.t.Helper()
	reply, err := s.Try(words...)
	if err != nil {
		s.t.Fatalf("%s: %v", words[0], err)
	}
	return reply
}

// commands is how many the server has run, by its own count.
func (s *server) commands() int {
	s.t.Helper()
	n, err := s.Commands()
	must(s.t, err)
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
