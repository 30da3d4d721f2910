package interop_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/interop"
)

// peer is a server as Parley's Go client reaches it.
type peer struct {
	interop.Server
	over    interop.Transport
	at      target
	process *interop.Process // over HTTP

	mu   sync.Mutex
	cmd  *exec.Cmd     // over stdio: what the client started last
	down chan struct{} // over stdio: a client knows that its server is gone
}

func reach(t *testing.T, server interop.Server, over interop.Transport) *peer {
	t.Helper()
	p := &peer{Server: server, over: over, down: make(chan struct{}, 1)}
	if over == interop.HTTP {
		p.process = server.Run(t)
		p.at.url = p.process.URL
	} else {
		p.at.command = server.Command(t)
	}
	return p
}

// transport is what restart knows of.
func (p *peer) transport() parley.Transport {
	if p.over == interop.HTTP {
		return p.at.transport()
	}
	return downs{&parley.Stdio{Command: func() *exec.Cmd {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.cmd = exec.Command(p.at.command[0], p.at.command[1:]...)
		return p.cmd
	}}, p.down}
}

// downs tells when a session has been told that its server is gone.
type downs struct {
	parley.Transport
	seen chan<- struct{}
}

func (d downs) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	d.Transport.Perform(ctx, a, func(e session.Event, cause error) {
		report(e, cause)
		if _, ok := e.(session.Down); ok {
			select {
			case d.seen <- struct{}{}:
			default:
			}
		}
	})
}

// restart kills the server. Over HTTP it is back when restart returns; over
// stdio the client knows then, whose it is to start it. It may be called from
// any goroutine.
func (p *peer) restart(t *testing.T) {
	t.Helper()
	if p.over == interop.HTTP {
		p.process.Kill()
		if err := p.process.Restart(); err != nil {
			t.Error(err)
		}
		return
	}
	p.mu.Lock()
	cmd := p.cmd
	p.mu.Unlock()
	select { // of a session that was closed
	case <-p.down:
	default:
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	select { // what is sent before the client knows is lost
	case <-p.down:
	case <-time.After(interop.Patience):
		t.Error("the client does not notice that the server is gone")
	}
}

// wires lead to a server and can be cut.
type wires struct {
	url string

	mu   sync.Mutex
	ends []net.Conn
}

// lay lays wires to a url, which last until the test ends.
func lay(t *testing.T, to string) *wires {
	t.Helper()
	at, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wires{url: "http://" + l.Addr().String() + at.Path}
	t.Cleanup(func() {
		l.Close()
		w.cut()
	})
	go func() {
		for {
			here, err := l.Accept()
			if err != nil {
				return
			}
			there, err := net.Dial("tcp", at.Host)
			if err != nil {
				here.Close()
				continue
			}
			w.mu.Lock()
			w.ends = append(w.ends, here, there)
			w.mu.Unlock()
			go pass(here, there)
			go pass(there, here)
		}
	}()
	return w
}

func pass(from, to net.Conn) {
	defer to.Close()
	io.Copy(to, from)
}

// cut ends every connection there is. New ones can be made.
func (w *wires) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, end := range w.ends {
		end.Close()
	}
	w.ends = nil
}
