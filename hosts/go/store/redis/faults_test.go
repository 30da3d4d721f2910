package redis_test

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

// A server that evicts, or does not tell, is refused, at each connection.
func TestEvicts(t *testing.T) {
	evicting := start(t, "--maxmemory-policy", "allkeys-lru")
	_, err := redis.Open(t.Context(), evicting.URL(""), redis.Options{Unsealed: true})
	wantSaid(t, "evicting", err, "set maxmemory-policy to noeviction")

	server := start(t)
	s := open(t, server.URL(""), redis.Options{})
	storetest.Put(t, s, "a", "1")
	server.Args = []string{"--maxmemory-policy", "volatile-ttl"}
	server.killAndStart()
	_, err = s.Create(t.Context(), "b")
	wantSaid(t, "evicting since it was started again", err, "set maxmemory-policy to noeviction")

	silent := start(t, "--user", "default", "on", ">hunter2", "~*", "&*", "+@all", "-info")
	url := strings.Replace(silent.URL(""), "//", "//:hunter2@", 1)
	_, err = redis.Open(t.Context(), url, redis.Options{Unsealed: true})
	wantSaid(t, "not telling", err, "eviction=checked")
	storetest.Put(t, open(t, url+"?eviction=checked", redis.Options{}), "a", "1")
	_, err = redis.Open(t.Context(), strings.Replace(url, "hunter2", "hunter22", 1), redis.Options{Unsealed: true, Timeout: 100 * time.Millisecond})
	wantSaid(t, "a wrong password", err, "WRONGPASS")
}

// A full server refuses what needs memory; what is there can be ended and discarded.
func TestFull(t *testing.T) {
	server := start(t)
	s := open(t, server.URL(""), redis.Options{Timeout: time.Second})
	for _, id := range []string{"done", "kept", "discarded"} {
		storetest.Put(t, s, id, "1")
	}
	done, kept := storetest.Take(t, s, "done", "1"), storetest.Take(t, s, "kept", "1")
	server.do("CONFIG", "SET", "maxmemory", "1")
	wantSaid(t, "save", kept.Save(t.Context(), []byte("2"), store.About{}), "Redis is full")
	_, err := s.Create(t.Context(), "new")
	wantSaid(t, "create", err, "Redis is full")
	must(t, kept.Renew(t.Context()))
	must(t, done.Done(t.Context()))
	must(t, kept.Release(t.Context()))
	must(t, s.Delete(t.Context(), "discarded"))
	server.do("CONFIG", "SET", "maxmemory", "0")
	must(t, storetest.Take(t, s, "kept", "1").Done(t.Context()))
}

// A server that is killed and begins again knows who has what.
func TestRestarted(t *testing.T) {
	server := start(t, "--appendonly", "yes", "--appendfsync", "always")
	s, other := open(t, server.URL(""), redis.Options{}), open(t, server.URL(""), redis.Options{})
	storetest.Put(t, s, "a", "1")
	lease := storetest.Take(t, s, "a", "1")
	for i := range 5 {
		server.killAndStart()
		_, _, err := other.Take(t.Context(), "a")
		wantErr(t, "take", err, store.ErrTaken)
		must(t, lease.Save(t.Context(), fmt.Append(nil, i), store.About{}))
	}
	server.killAndStart()
	must(t, lease.Release(t.Context()))
	must(t, storetest.Take(t, other, "a", "4").Done(t.Context()))
}

// A replica that is promoted gives a call to somebody else: the token tells. With
// wait, what it may never hear of is not sure.
func TestPromoted(t *testing.T) {
	first := start(t, "--repl-diskless-sync-delay", "0")
	second := start(t, "--replicaof", "127.0.0.1 "+fmt.Sprint(first.Port()), "--repl-diskless-sync-delay", "0")
	here := open(t, first.URL("?wait=1"), redis.Options{Timeout: time.Second})
	for !strings.Contains(second.do("INFO", "replication"), "master_link_status:up") {
		time.Sleep(time.Millisecond)
	}
	patient := open(t, first.URL("?wait=1"), redis.Options{Timeout: time.Minute})
	for _, id := range []string{"a", "b", "c"} {
		storetest.Put(t, patient, id, "1") // which the replica has confirmed, however long that took
	}
	confirmed, _, err := here.Take(t.Context(), "b")
	for errors.Is(err, store.ErrUnsure) {
		confirmed, _, err = here.Take(t.Context(), "b")
	}
	must(t, err)
	second.do("REPLICAOF", "NO", "ONE")
	before := storetest.Take(t, open(t, first.URL(""), redis.Options{}), "a", "1") // which the replica never hears of
	there := open(t, second.URL(""), redis.Options{})
	after := storetest.Take(t, there, "a", "1")
	_, err = here.Create(t.Context(), "d")
	wantErr(t, "created without a replica", err, store.ErrUnsure)
	_, _, err = here.Take(t.Context(), "c")
	wantErr(t, "taken without a replica", err, store.ErrUnsure)
	wantErr(t, "discarded without a replica", here.Delete(t.Context(), "c"), store.ErrUnsure)
	wantErr(t, "saved without a replica", confirmed.Save(t.Context(), []byte("unsure"), store.About{}), store.ErrUnsure)
	wantErr(t, "given back without a replica", confirmed.Release(t.Context()), store.ErrUnsure)
	must(t, after.Save(t.Context(), []byte("2"), store.About{}))
	first.do("REPLICAOF", "127.0.0.1", fmt.Sprint(second.Port()))
	for !strings.Contains(first.do("INFO", "replication"), "master_link_status:up") {
		time.Sleep(time.Millisecond)
	}
	second.do("REPLICAOF", "127.0.0.1", fmt.Sprint(first.Port()))
	first.do("REPLICAOF", "NO", "ONE")
	wantErr(t, "save with the lease that was lost", before.Save(t.Context(), []byte("stale"), store.About{}), store.ErrTaken)
}

// A server that stands still is given up in time, and nothing is done twice.
func TestStopped(t *testing.T) {
	server := start(t)
	s := open(t, server.URL(""), redis.Options{Timeout: 300 * time.Millisecond})
	patient := open(t, server.URL(""), redis.Options{Timeout: time.Minute})
	storetest.Put(t, s, "a", "1")
	lease, slow := storetest.Take(t, s, "a", "1"), make(chan error, 1)
	must(t, server.Signal(syscall.SIGSTOP))
	if err := lease.Renew(t.Context()); err == nil {
		t.Error("a server that stands still renewed a lease")
	}
	go func() {
		_, err := patient.Create(t.Context(), "b")
		slow <- err
	}()
	must(t, server.Signal(syscall.SIGCONT))
	must(t, <-slow)
	must(t, lease.Save(t.Context(), []byte("2"), store.About{}))
	must(t, lease.Done(t.Context()))
}

// What answers is no Redis, or not one of this version's.
