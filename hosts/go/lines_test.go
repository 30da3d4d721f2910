package parley_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/sentence"
)

// dialer makes connections and hands their other ends to the test.
type dialer struct {
	mu      sync.Mutex
	dialed  int
	refuse  error
	servers chan net.Conn
}

func newDialer() *dialer { return &dialer{servers: make(chan net.Conn, 100)} }

func (d *dialer) Dial(context.Context) (io.ReadWriteCloser, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dialed++; d.refuse != nil {
		return nil, d.refuse
	}
	ours, theirs := net.Pipe()
	d.servers <- theirs
	return ours, nil
}

func (d *dialer) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dialed
}

func newLines(t *testing.T, d *dialer) (*parley.Lines, *reports) {
	l := &parley.Lines{Dial: d.Dial, MaxMessage: 100}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l, newReports()
}

func post(n int, body string) session.Post { return session.Post{Exchange: n, Body: []byte(body)} }

// perform posts in the background, as the other end of a pipe must read.
func perform(t *testing.T, l parley.Transport, r *reports, posts ...session.Post) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		for _, p := range posts {
			l.Perform(t.Context(), p, r.report)
		}
	}()
	return done
}

func line(body string) session.Event { return session.Message{Body: []byte(body)} }

func wantEvents(t *testing.T, got []session.Event, want ...session.Event) {
	t.Helper()
	if err := differs(got, want...); err != nil {
		t.Error(err)
	}
}

// inEnglish are events without the marks of what they say.
func inEnglish(events []session.Event) []session.Event {
	said := slices.Clone(events)
	for i, ev := range said {
		switch ev := ev.(type) {
		case session.Ended:
			ev.Reason = sentence.Text(ev.Reason.String())
			said[i] = ev
		case session.Down:
			ev.Reason = sentence.Text(ev.Reason.String())
			said[i] = ev
		}
	}
	return said
}

func differs(got []session.Event, want ...session.Event) error {
	if !reflect.DeepEqual(inEnglish(got), want) {
		return fmt.Errorf("got %s\nwant %s", spell(got), spell(want))
	}
	return nil
}

func TestLines(t *testing.T) {
	d := newDialer()
	l, r := newLines(t, d)
	if d.count() != 0 {
		t.Error("it connects before there is a message")
	}
	perform(t, l, r, post(1, `{"a":1}`), post(2, `{"b":2}`))
	server := <-d.servers
	in := bufio.NewReader(server)
	for _, want := range []string{"{\"a\":1}\n", "{\"b\":2}\n"} {
		if got, err := in.ReadString('\n'); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	io.WriteString(server, "{\"x\":1}\r\n\n  \t\n {\"y\":2} \n\xff not json\n"+strings.Repeat("z", 99)+"\n{\"last\":")
	server.Close()
	wantEvents(t, r.wait(t, 7), line("{\"x\":1}\r"), line("  \t"), line(` {"y":2} `), line("\xff not json"), line(strings.Repeat("z", 99)), line(`{"last":`), session.Down{})
	if d.count() != 1 {
		t.Errorf("dialed %d times", d.count())
	}

	<-perform(t, l, r) // nothing
	done := perform(t, l, r, post(3, `{"c":3}`))
	server = <-d.servers
	if got, _ := bufio.NewReader(server).ReadString('\n'); got != "{\"c\":3}\n" {
		t.Errorf("after the connection broke: got %q", got)
	}
	<-done
}

func TestLinesTooLong(t *testing.T) {
	d := newDialer()
	l, r := newLines(t, d)
	perform(t, l, r, post(1, "{}"))
	server := <-d.servers
	go io.Copy(io.Discard, server)
	go func() {
		for { // it would go on
			if _, err := io.WriteString(server, strings.Repeat("x", 64)); err != nil {
				return
			}
		}
	}()
	wantEvents(t, r.wait(t, 1), session.Down{Reason: "a message that it sent is longer than 100 bytes (MaxMessage)"})
}

// A server that stops reading holds up nobody for longer than the transport
// lives.
func TestLinesStuckWriting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer()
		l, r := newLines(t, d)
		done := perform(t, l, r, post(1, "{}"))
		<-d.servers // it reads nothing
		synctest.Wait()
		l.Close()
		select {
		case <-done:
		case <-time.After(patience):
			t.Fatal("Perform still writes after Close")
		}
		all := r.wait(t, 2)
		slices.SortFunc(all, func(a, b session.Event) int { return strings.Compare(fmt.Sprintf("%T", a), fmt.Sprintf("%T", b)) }) // a session takes either order
		wantEvents(t, all,
			session.Down{Reason: "the transport is closed"}, session.Ended{Exchange: 1, Reason: "the connection to the server broke before it was sent: the transport is closed", Unsent: true})
	})
}

// Who refuses connections is asked less and less often; a message meanwhile
// fails with what the last attempt said.
func TestLinesRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer()
		d.refuse = errors.New("nobody home")
		l, r := newLines(t, d)
		var want []session.Event
		for n := 1; n <= 50; n++ {
			l.Perform(t.Context(), post(n, "{}"), r.report)
			want = append(want, session.Ended{Exchange: n, Reason: "nobody home", Unsent: true})
			time.Sleep(5 * time.Millisecond)
		}
		wantEvents(t, r.all(), want...)
		if n := d.count(); n != 3 { // at once, again, and after 100 ms, but not yet after 200 ms more
			t.Errorf("dialed %d times, want 3", n)
		}
	})
}

// next is the server's side of the next connection.
func next(t *testing.T, d *dialer) net.Conn {
	t.Helper()
	select {
	case server := <-d.servers:
		return server
	case <-time.After(patience):
		t.Fatal("no connection was made")
		return nil
	}
}

func downs(events []session.Event) (n int) {
	for _, ev := range events {
		if _, ok := ev.(session.Down); ok {
			n++
		}
	}
	return n
}

// A server that breaks at once is given a pause before it is tried again, and a
// message waits for it.
func TestLinesBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer()
		l, r := newLines(t, d)
		var at []time.Time
		for n := range 4 {
			done := perform(t, l, r, post(n, "{}"))
			server := next(t, d)
			at = append(at, time.Now())
			bufio.NewReader(server).ReadString('\n')
			server.Close()
			<-done
			// The post may have failed as well; only after Down the next one dials.
			for want := n + 1; downs(r.all()) <= n; want++ {
				r.wait(t, want)
			}
		}
		for n, want := range []time.Duration{0, 100 * time.Millisecond, 200 * time.Millisecond} {
			if got := at[n+1].Sub(at[n]); got != want {
				t.Errorf("pause %d: got %v, want %v", n, got, want)
			}
		}
		// A message that nobody waits for any more does not wait either.
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		l.Perform(ctx, post(9, "{}"), r.report)
		if n := d.count(); n != 4 {
			t.Errorf("dialed %d times, want 4", n)
		}
	})
}

// Messages that were on their way when the connection broke are lost with it:
// the next connection must not get them, because nobody expects their answers.
// They were not sent, and the transport says so.
func TestLinesLostWithTheirConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer()
		l, r := newLines(t, d)
		ctx, down := context.WithCancel(t.Context())
		hold, held := make(chan struct{}), make(chan struct{})
		report := func(ev session.Event, cause error) {
			r.report(ev, cause)
			if _, ok := ev.(session.Down); ok {
				close(held)
				<-hold
				down() // as a session does when it learns of it
			}
		}
		first := make(chan struct{})
		go func() {
			defer close(first)
			l.Perform(ctx, post(1, "{}"), report)
		}()
		server := <-d.servers
		bufio.NewReader(server).ReadString('\n')
		<-first
		server.Close()
		<-held
		second := make(chan struct{})
		go func() {
			defer close(second)
			l.Perform(ctx, post(2, "{}"), report)
		}()
		synctest.Wait()
		close(hold)
		<-second
		if n := d.count(); n != 1 {
			t.Errorf("dialed %d times, want 1", n)
		}
		wantEvents(t, r.all(), session.Down{}, session.Ended{Exchange: 2, Reason: "the connection to the server broke before it was sent", Unsent: true})
	})
}

func TestLinesClosed(t *testing.T) {
	d := newDialer()
	l, r := newLines(t, d)
	l.Close()
	l.Close()
	l.Perform(t.Context(), post(1, "{}"), r.report)
	wantEvents(t, r.all(), session.Ended{Exchange: 1, Reason: "the transport is closed", Unsent: true})
}

// A connection that cannot be made, because nobody waits for it any more, says
// nothing of the next one.
func TestLinesNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := &parley.Lines{Dial: func(ctx context.Context) (io.ReadWriteCloser, error) {
			cancel()
			return nil, ctx.Err()
		}}
		defer l.Close()
		r := newReports()
		for n := range 5 {
			l.Perform(ctx, post(n, "{}"), r.report)
		}
		l.Dial = func(context.Context) (io.ReadWriteCloser, error) { return nil, errors.New("nobody home") }
		l.Perform(t.Context(), post(5, "{}"), r.report)
		var want []session.Event
		for n := range 5 {
			want = append(want, session.Ended{Exchange: n, Reason: "the connection to the server broke before it was sent", Unsent: true})
		}
		wantEvents(t, r.all(), append(want, session.Ended{Exchange: 5, Reason: "nobody home", Unsent: true})...)
	})
}

// What waited for a connection that broke was not sent, and neither was what was
// written in part: only what was written is in doubt.
func TestLinesCallsThatWaited(t *testing.T) {
	tests := map[string]struct {
		read    func(server net.Conn) error
		inDoubt int
	}{
		"one is under way": {func(server net.Conn) error { _, err := server.Read(make([]byte, 1)); return err }, 0},
		"one was written":  {func(server net.Conn) error { _, err := bufio.NewReader(server).ReadString('\n'); return err }, 1},
		"all but its end":  {func(server net.Conn) error { return readObject(server) }, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bubbles(t, func(t *testing.T, e parley.Engine) {
				const calls = 20
				d := newDialer()
				s := newSession(t, e, &parley.Lines{Dial: d.Dial}, parley.SessionOptions{Known: modern, Versions: []string{modern}})
				finished := make(chan error, calls)
				call := func() {
					_, err := s.Call(context.Background(), parley.Request{Method: "tools/call"})
					finished <- err
				}
				go call()
				server := <-d.servers
				if err := tt.read(server); err != nil {
					t.Fatal(err)
				}
				for range calls - 1 {
					go call()
				}
				synctest.Wait()
				server.Close()
				inDoubt := 0
				for range calls {
					switch err := <-finished; {
					case errors.Is(err, fault.InDoubt):
						inDoubt++
					case !errors.Is(err, fault.Lost):
						t.Errorf("got %v", err)
					}
				}
				if inDoubt != tt.inDoubt {
					t.Errorf("%d calls are in doubt, want %d", inDoubt, tt.inDoubt)
				}
				closeAll(t, s)
			})
		})
	}
}

// readObject reads a message, and not the line break at its end.
func readObject(server net.Conn) error {
	var message json.RawMessage
	return json.NewDecoder(iotest.OneByteReader(server)).Decode(&message)
}
