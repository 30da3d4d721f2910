package servers_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/tests/interop"
)

// start runs a server over HTTP until the test ends, and returns its URL.
func (s server) start(t *testing.T, p place) string {
	t.Helper()
	var err error
	for range 5 {
		var url string
		if url, err = s.listen(t, p); err == nil {
			return url
		}
	}
	t.Fatal(err)
	return ""
}

// listening is what servers say once they listen.
var listening = regexp.MustCompile(`(?:http://127\.0\.0\.1:|listening on port )([1-9]\d*)`)

// listen starts it once. A port that it has to be told may have been taken by somebody else meanwhile: then it ends.
func (s server) listen(t *testing.T, p place) (url string, err error) {
	t.Helper()
	command := append(s.command(t, p), s.http...)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = p.dir, s.environ(p)
	if s.port {
		port, err := freePort()
		if err != nil {
			return "", err
		}
		cmd.Env = append(cmd.Env, "PORT="+port)
	}
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		in.CloseWithError(errors.New("it ended"))
		close(ended)
	}()
	log := new(serverLog)
	port := make(chan string, 1)
	go log.read(out, port)
	stop := func() {
		cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(2 * time.Second): // some wait for streams that are open
			cmd.Process.Kill()
			<-ended
		}
	}
	select {
	case n := <-port:
		t.Cleanup(func() {
			stop()
			if t.Failed() {
				t.Logf("log of %s:\n%s", s.name, log)
			}
		})
		path := s.path
		if path == "" {
			path = "/mcp"
		}
		return "http://127.0.0.1:" + n + path, nil
	case <-ended:
		err = errors.New("it ended")
	case <-time.After(interop.Patience):
		err = errors.New("it does not listen")
		stop()
	}
	return "", fmt.Errorf("%s: %w\n%s", s.name, err, log)
}

// serverLog is what a server wrote.
type serverLog struct {
	mu   sync.Mutex
	text strings.Builder
}

// read reads on after the port was found, or the server would stand still.
func (l *serverLog) read(from io.Reader, port chan<- string) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		l.mu.Lock()
		fmt.Fprintln(&l.text, lines.Text())
		l.mu.Unlock()
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			select {
			case port <- found[1]:
			default:
			}
		}
	}
	io.Copy(io.Discard, from)
}

func (l *serverLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}
