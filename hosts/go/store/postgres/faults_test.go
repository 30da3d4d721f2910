package postgres_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// A fenced save that is cut off at any byte, on its way there or back, is made
// again; what is done twice is done once.
func TestCut(t *testing.T) {
	proxy, schema := newCutter(t, "127.0.0.1"), newSchema()
	behind := open(t, strings.Replace(urlOf(schema), server.Address(), proxy.Address(), 1), postgres.Options{})
	postgres.Quiet(behind)
	storetest.Cut(t, storetest.Cutting{There: &proxy.There, Back: &proxy.Back, Cuts: &proxy.Cuts}, behind, open(t, urlOf(schema), postgres.Options{}))
}

func newCutter(t *testing.T, host string) *backends.Cutter {
	t.Helper()
	proxy, err := backends.NewCutter(host, server.Address())
	must(t, err)
	t.Cleanup(func() { proxy.Close() })
	return proxy
}

// A server that is killed in the middle of a transaction and begins again knows
// who has what, and a step that was under way is made again.
func TestRestarted(t *testing.T) {
	schema := newSchema()
	s, other := open(t, urlOf(schema), postgres.Options{Timeout: time.Minute}), open(t, urlOf(schema), postgres.Options{})
	storetest.Put(t, s, "a", "1")
	lease := storetest.Take(t, s, "a", "1")
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
	must(t, storetest.Take(t, other, "a", "3").Done(t.Context()))
}

// A server that refuses writes keeps what it has; what it is asked to do is done
// as soon as it takes them again, or refused in words that say so.
func TestReadOnly(t *testing.T) {
	schema := newSchema()
	patient := open(t, urlOf(schema), postgres.Options{Timeout: time.Minute})
	storetest.Put(t, patient, "a", "1")
	s := open(t, urlOf(schema), postgres.Options{Timeout: 100 * time.Millisecond})
	lease := storetest.Take(t, patient, "a", "1")
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
		storetest.Put(t, s, id, "1")
	}
	done, kept := storetest.Take(t, s, "done", "1"), storetest.Take(t, s, "kept", "1")
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
	storetest.Put(t, patient, "a", "1")
	lease, slow := storetest.Take(t, patient, "a", "1"), make(chan error, 1)
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
			storetest.Put(t, s, fmt.Sprint("call", i), "1")
		})
	}
	all.Wait()
	s := open(t, urlOf(schema), postgres.Options{})
	sql(t, "update "+schema+".layout set version = 3")
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
	storetest.WatchBroken(t, open(t, urlOf(newSchema()), postgres.Options{Timeout: time.Minute}), func() { restart(t) })
}
