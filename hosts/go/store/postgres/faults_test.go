package postgres_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
)

// cutter is a proxy that cuts a connection once so many bytes have passed.
type cutter struct {
	net.Listener
	there atomic.Int64 // bytes to the server that still pass; negative: all
	back  atomic.Int64 // the same for those of the server
	cuts  atomic.Int64
}

func newCutter(t *testing.T) *cutter { return newCutterAt(t, "127.0.0.1") }

func newCutterAt(t *testing.T, host string) *cutter {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	must(t, err)
	c := &cutter{Listener: l}
	c.there.Store(-1)
	c.back.Store(-1)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", server.Address())
			if err != nil {
				conn.Close()
				continue
			}
			go c.pass(to, conn, &c.there)
			go c.pass(conn, to, &c.back)
		}
	}()
	return c
}

func (c *cutter) pass(to, from net.Conn, left *atomic.Int64) {
	defer to.Close()
	defer from.Close()
	for data := make([]byte, 64<<10); ; {
		n, err := from.Read(data)
		if err != nil {
			return
		}
		cut := false
		if most := left.Load(); most >= 0 {
			if cut = int64(n) > most; cut {
				n = int(most)
				left.Store(-1)
			} else {
				left.Store(most - int64(n))
			}
		}
		if cut {
			c.cuts.Add(1)
		}
		if _, err := to.Write(data[:n]); err != nil && err != io.EOF || cut {
			return
		}
	}
}

// A fenced save that is cut off at any byte, on its way there or back, is made
// again; what is done twice is done once.
func TestCut(t *testing.T) {
	proxy, schema := newCutter(t), newSchema()
	s := open(t, strings.Replace(urlOf(schema), server.Address(), proxy.Addr().String(), 1), postgres.Options{})
	postgres.Quiet(s)
	direct := open(t, urlOf(schema), postgres.Options{})
	put(t, direct, "a", "0")
	lease, last := take(t, s, "a", "0"), "0"
	for name, left := range map[string]*atomic.Int64{"there": &proxy.there, "back": &proxy.back} {
		for at := int64(0); ; at++ {
			if at > 2000 {
				t.Fatalf("%s: a save never passes whole", name)
			}
			must(t, lease.Save(t.Context(), []byte("before"), store.About{})) // there is a connection that knows the statement
			before := proxy.cuts.Load()
			left.Store(at)
			last = name + strconv.FormatInt(at, 10)
			must(t, lease.Save(t.Context(), []byte(last), store.About{Principal: "ann"}))
			left.Store(-1)
			if proxy.cuts.Load() == before {
				t.Logf("%s: cut at each of %d bytes", name, at)
				break
			}
		}
		must(t, lease.Release(t.Context()))
		lease = take(t, s, "a", last)
	}
	must(t, lease.Done(t.Context()))
	wantErr(t, "done", direct.Delete(t.Context(), "a"), store.ErrNotFound)
}

// A server that is killed in the middle of a transaction and begins again knows
// who has what, and a step that was under way is made again.
func TestRestarted(t *testing.T) {
	schema := newSchema()
	s, other := open(t, urlOf(schema), postgres.Options{Timeout: time.Minute}), open(t, urlOf(schema), postgres.Options{})
	put(t, s, "a", "1")
	lease := take(t, s, "a", "1")
	for i := range 4 {
		conn := admin(t)
		tx, err := conn.Begin(t.Context())
		must(t, err)
		_, err = tx.Exec(t.Context(), "select 1 from "+schema+".calls for update") // the save waits for it
		must(t, err)
		saved := make(chan error, 1)
		go func() { saved <- lease.Save(t.Context(), fmt.Append(nil, i), store.About{}) }()
		for waiting := 0; waiting == 0; {
			must(t, tx.QueryRow(t.Context(), "select count(*) from pg_locks where not granted").Scan(&waiting))
		}
		restart(t)
		must(t, <-saved)
		_, _, err = other.Take(t.Context(), "a")
		wantErr(t, "take", err, store.ErrTaken)
	}
	restart(t)
	must(t, lease.Release(t.Context()))
	must(t, take(t, other, "a", "3").Done(t.Context()))
}

// A server that refuses writes keeps what it has; what it is asked to do is done
// as soon as it takes them again, or refused in words that say so.
func TestReadOnly(t *testing.T) {
	schema := newSchema()
	patient := open(t, urlOf(schema), postgres.Options{Timeout: time.Minute})
	put(t, patient, "a", "1")
	s := open(t, urlOf(schema), postgres.Options{Timeout: 100 * time.Millisecond})
	lease := take(t, patient, "a", "1")
	restart(t, "default_transaction_read_only=on")
	_, err := s.Create(t.Context(), "b")
	wantSaid(t, "create", err, "read-only")
	n := 0
	for call, err := range s.List(t.Context(), store.Query{}) {
		must(t, err)
		if n++; call.ID != "a" || !call.Taken {
			t.Errorf("listed: %+v", call)
		}
	}
	if n != 1 {
		t.Errorf("%d are listed, want 1", n)
	}
	saved := make(chan error, 1)
	go func() { saved <- lease.Save(t.Context(), []byte("2"), store.About{}) }()
	restart(t)
	must(t, <-saved)
	must(t, lease.Done(t.Context()))
}

// A full server refuses what needs room; what is there can be ended and discarded.
func TestFull(t *testing.T) {
	dir, err := server.Folder("small")
	must(t, err)
	is, err := os.Stat(dir)
	must(t, err)
	owner := is.Sys().(*syscall.Stat_t)
	if said, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=2m,mode=700,uid=%d,gid=%d", owner.Uid, owner.Gid), "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here, so nothing is full: %s", said)
	}
	t.Cleanup(func() { exec.Command("umount", dir).Run() })
	schema := newSchema()
	sql(t, "create tablespace small location '"+dir+"'")
	s := open(t, urlOf(schema), postgres.Options{})
	sql(t, "alter table "+schema+".calls set tablespace small")
	defer func() { sql(t, "drop schema "+schema+" cascade"); sql(t, "drop tablespace small") }()
	for _, id := range []string{"done", "kept", "discarded"} {
		put(t, s, id, "1")
	}
	done, kept := take(t, s, "done", "1"), take(t, s, "kept", "1")
	big := bytes.Repeat([]byte("x"), 1500)
	for i := 0; ; i++ {
		lease, err := s.Create(t.Context(), fmt.Sprint("call", i))
		if err == nil {
			err = lease.Save(t.Context(), big, store.About{})
		}
		if err != nil {
			wantSaid(t, "new work", err, "Postgres is full")
			break
		}
	}
	wantSaid(t, "save", kept.Save(t.Context(), bytes.Repeat(big, 1000), store.About{}), "Postgres is full")
	must(t, done.Done(t.Context()))
	must(t, s.Delete(t.Context(), "discarded"))
	must(t, kept.Done(t.Context()))
	for _, id := range []string{"done", "discarded", "kept"} {
		_, _, err := s.Take(t.Context(), id)
		wantErr(t, id, err, store.ErrNotFound)
	}
}

// A server that stands still is given up in time, and nothing is done twice.
func TestStopped(t *testing.T) {
	schema := newSchema()
	s := open(t, urlOf(schema), postgres.Options{Timeout: 300 * time.Millisecond})
	patient := open(t, urlOf(schema), postgres.Options{Timeout: time.Minute})
	put(t, patient, "a", "1")
	lease, slow := take(t, patient, "a", "1"), make(chan error, 1)
	must(t, server.Stop())
	if _, err := s.Create(t.Context(), "c"); err == nil {
		t.Error("a server that stands still made a call")
	}
	go func() {
		_, err := patient.Create(t.Context(), "b")
		slow <- err
	}()
	must(t, server.Continue())
	must(t, <-slow)
	must(t, lease.Save(t.Context(), []byte("2"), store.About{}))
	must(t, lease.Done(t.Context()))
}

// Of many who begin at once, one makes the tables.
func TestOpenedTogether(t *testing.T) {
	schema := newSchema()
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			s, err := postgres.Open(t.Context(), urlOf(schema), postgres.Options{Unsealed: true})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			put(t, s, fmt.Sprint("call", i), "1")
		})
	}
	all.Wait()
	s := open(t, urlOf(schema), postgres.Options{})
	sql(t, "update "+schema+".layout set version = 2")
	_, err := postgres.Open(t.Context(), urlOf(schema), postgres.Options{Unsealed: true})
	wantErr(t, "another version's", err, store.ErrLayout)
	restart(t) // at the next connection
	_, err = s.Create(t.Context(), "new")
	wantErr(t, "another version's since", err, store.ErrLayout)
}

// What answers is no PostgreSQL.
func TestGarbage(t *testing.T) {
	for _, answer := range []string{"garbage\r\n", "R\xff\xff\xff\xff", "R\x00\x00\x00\x03", "R\x7f\x00\x00\x00\x00", "E\x00\x00\x00\x05\x00", "\x00", ""} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				go func() {
					defer conn.Close()
					for data := make([]byte, 4096); ; {
						if _, err := conn.Read(data); err != nil {
							return
						}
						if _, err := conn.Write([]byte(answer)); err != nil || answer == "" {
							return
						}
					}
				}()
			}
		}()
		_, err = postgres.Open(t.Context(), "postgres://parley@"+l.Addr().String()+"/x?sslmode=disable", postgres.Options{Unsealed: true, Timeout: 300 * time.Millisecond})
		if err == nil || !strings.HasPrefix(err.Error(), "store: ") {
			t.Errorf("answers %q: got %v", answer, err)
		}
		l.Close()
	}
}

// A watch whose connection breaks says so, and tells what is there again.
func TestWatchBroken(t *testing.T) {
	s := open(t, urlOf(newSchema()), postgres.Options{Timeout: time.Minute})
	put(t, s, "a", "1")
	lost := false
	for change, err := range s.Watch(t.Context(), store.Query{}) {
		must(t, err)
		switch {
		case change.Lost:
			lost = true
		case lost && change.ID == "a":
			return
		case change.ID == "a":
			restart(t)
		}
	}
	t.Error("the watch ended")
}
