package interop

import (
	"bytes"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Pinned runs several processes of the server behind HAProxy until the test ends, and
// returns its URL. Each process has sessions of its own. A client is kept at one of
// them by a cookie; without it each request reaches the next.
func (s Server) Pinned(t testing.TB, n int) string {
	t.Helper()
	SetUp(t, "haproxy")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	in, err := listener.(*net.TCPListener).File() // who connects before it runs waits
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var config strings.Builder
	config.WriteString(`defaults
  mode http
  timeout connect 1m
  timeout client 1h
  timeout server 1h
listen mcp
  bind fd@3
  balance roundrobin
  cookie node insert indirect nocache httponly
`)
	path := ""
	for i := range n {
		at, err := url.Parse(s.Start(t))
		if err != nil {
			t.Fatal(err)
		}
		path = at.Path
		fmt.Fprintf(&config, "  server s%d %s cookie s%d\n", i, at.Host, i)
	}
	name := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(name, []byte(config.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("haproxy")
	if err != nil {
		program = "/usr/sbin/haproxy" // where Debian has it, and not everybody's PATH
	}
	var log bytes.Buffer
	balancer := exec.Command(program, "-q", "-db", "-f", name)
	balancer.ExtraFiles, balancer.Stdout, balancer.Stderr = []*os.File{in}, &log, &log
	if err := balancer.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		balancer.Process.Kill()
		balancer.Wait()
		if t.Failed() {
			t.Logf("log of the balancer:\n%s", log.Bytes())
		}
	})
	return "http://" + listener.Addr().String() + path
}
