package redis_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

func TestStore(t *testing.T) { testStore(t, start(t)) }

// The same with all that a user of the store has to be allowed.
func TestAllowed(t *testing.T) {
	server := start(t)
	server.do("ACL", "SETUSER", "parley", "on", ">hunter2", "~test*", "&test*:changes",
		"+@read", "+@write", "+@scripting", "+@pubsub", "+@connection", "-@dangerous", "+info", "+time", "+wait")
	server.User = "parley:hunter2@"
	testStore(t, server)
}

// A cluster of three: every step is at one of them, and a list is of all.
func TestCluster(t *testing.T) {
	var nodes []*server
	for i, slots := range []string{"0 5460", "5461 10922", "10923 16383"} {
		node := start(t, "--cluster-enabled", "yes")
		from, to, _ := strings.Cut(slots, " ")
		node.do("CLUSTER", "ADDSLOTSRANGE", from, to)
		node.do("CLUSTER", "SET-CONFIG-EPOCH", fmt.Sprint(i+1))
		nodes = append(nodes, node)
	}
	for _, node := range nodes[1:] {
		nodes[0].do("CLUSTER", "MEET", "127.0.0.1", fmt.Sprint(node.Port()))
	}
	for _, node := range nodes {
		for info := ""; !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, "cluster_known_nodes:3"); info = node.do("CLUSTER", "INFO") {
			time.Sleep(10 * time.Millisecond)
		}
	}
	testStore(t, nodes[0])
	for _, node := range nodes {
		if node.do("DBSIZE") == ":0" {
			t.Errorf("a node of the cluster holds nothing")
		}
	}
}

func testStore(t *testing.T, server *server) {
	key := func(prefix, id string) string {
		h := fnv.New32a()
		h.Write([]byte(id))
		return fmt.Sprintf("%s:{%02d}:call:%s", prefix, h.Sum32()%64, id)
	}
	storetest.Test(t, func(t testing.TB) storetest.Place {
		prefix := newPrefix()
		return storetest.Place{
			Open: func(t testing.TB, o storetest.Options) store.Store {
				s, err := redis.Open(context.Background(), server.URL("?prefix="+prefix), redis.Options{Box: o.Box, Unsealed: o.Unsealed, Lease: o.Lease, Keep: o.Keep})
				if err != nil {
					return storetest.Refusing(err)
				}
				t.Cleanup(func() { s.Close() })
				return s
			},
			Sealed:   true,
			Damage:   func(_ testing.TB, id string) { server.do("HSET", key(prefix, id), "snap", "garbage\x00") },
			Relayout: func(_ testing.TB, id string) { server.do("HSET", key(prefix, id), "v", "2") },
		}
	})
}

// What an operation costs the server does not grow with the calls that are there:
// by the server's own count of its commands, at 1,000 calls and at 10,000.
func TestCommands(t *testing.T) {
	server := start(t)
	s := open(t, server.URL(""), redis.Options{})
	marks, err := redis.OpenReplay(t.Context(), server.URL(""), time.Minute)
	must(t, err)
	defer marks.Close()
	marked := byte(0)
	fill := func(from, to int) {
		var all sync.WaitGroup
		for n := range 16 {
			all.Go(func() {
				for i := from + n; i < to; i += 16 {
					storetest.Put(t, s, fmt.Sprint("call", i), "snapshot")
					_, err := marks.Consume([16]byte{0, byte(i), byte(i >> 8)}, time.Now().Add(time.Hour))
					must(t, err)
				}
			})
		}
		all.Wait()
	}
	measure := func() map[string]int {
		cost := map[string]int{}
		count := func(what string, do func()) {
			before := server.commands()
			do()
			cost[what] = server.commands() - before
		}
		page := func(q store.Query) func() {
			return func() {
				n := 0
				for _, err := range s.List(t.Context(), q) {
					must(t, err)
					n++
				}
				if n != q.Limit {
					t.Errorf("a page of %d, want %d", n, q.Limit)
				}
			}
		}
		page(store.Query{Limit: 20})()
		var lease store.Lease
		var err error
		count("create", func() { lease, err = s.Create(t.Context(), "measured"); must(t, err) })
		count("save", func() { must(t, lease.Save(t.Context(), []byte("1"), store.About{Principal: "ann"})) })
		count("renew", func() { must(t, lease.Renew(t.Context())) })
		count("release", func() { must(t, lease.Release(t.Context())) })
		count("take", func() { lease = storetest.Take(t, s, "measured", "1") })
		count("done", func() { must(t, lease.Done(t.Context())) })
		storetest.Put(t, s, "discarded", "1")
		count("delete", func() { must(t, s.Delete(t.Context(), "discarded")) })
		marked++
		count("mark", func() {
			first, err := marks.Consume([16]byte{marked}, time.Now().Add(time.Hour))
			wantErr(t, fmt.Sprint("a mark, ", first), err, nil)
		})
		count("page", page(store.Query{Limit: 20}))
		count("newest", page(store.Query{Limit: 20, Newest: true}))
		count("principal", page(store.Query{Limit: 20, Principal: "ann"}))
		return cost
	}
	fill(0, 1000)
	few := measure()
	fill(1000, 10000)
	many := measure()
	t.Logf("commands an operation: %v", many)
	const chance = 2 // that more names of a page than usual are in one index
	for what, n := range many {
		if n > few[what]+chance || n == 0 {
			t.Errorf("%s: %d commands at 1,000 calls, %d at 10,000", what, few[what], n)
		}
	}
}

func TestGarbage(t *testing.T) {
	for _, answer := range []string{"garbage\r\n", "*-7\r\n", "$99999999999999999999\r\n", "%1\r\n", "\x00", "+OK\r\n", ""} {
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
		_, err = redis.Open(t.Context(), "redis://"+l.Addr().String(), redis.Options{Unsealed: true, Timeout: 200 * time.Millisecond})
		if err == nil || !strings.HasPrefix(err.Error(), "store: ") {
			t.Errorf("answers %q: got %v", answer, err)
		}
		l.Close()
	}
	server := start(t)
	server.do("SET", "parley:layout", "2")
	_, err := redis.Open(t.Context(), server.URL(""), redis.Options{Unsealed: true})
	wantErr(t, "another version's", err, store.ErrLayout)

	s := open(t, server.URL("?prefix=mine"), redis.Options{})
	storetest.Put(t, s, "good", "1")
	storetest.Put(t, s, "bad", "1")
	bad := server.do("EVAL", "return redis.call('KEYS', 'mine:*:call:bad')[1]", "0")
	server.do("SET", bad, "not a hash")
	_, _, err = s.Take(t.Context(), "bad")
	wantSaid(t, "take of what is none", err, "a key is not the store's")
	var listed []string
	for call, err := range s.List(t.Context(), store.Query{}) {
		must(t, err)
		listed = append(listed, fmt.Sprint(call.ID, " ", call.Problem != nil))
	}
	if fmt.Sprint(listed) != "[good false bad true]" {
		t.Errorf("listed: %v", listed)
	}
	must(t, storetest.Take(t, s, "good", "1").Done(t.Context()))
}

// URLs that cannot be used are refused in words that hold nothing of them.
func TestURLs(t *testing.T) {
	for url, want := range map[string]string{
		"":                                       "redis://HOST:PORT",
		"http://:hunter2@x":                      "redis://HOST:PORT",
		"redis://:hunter2@\x7f":                  "redis://HOST:PORT",
		"redis://:hunter2@x/one":                 "number of a database",
		"redis://:hunter2@x?prefix={hunter2}":    "prefix is",
		"redis://:hunter2@x?prefix=":             "prefix is",
		"redis://:hunter2@x?wait=-1":             "wait is",
		"redis://:hunter2@x?eviction=hunter2":    "eviction=checked",
		"redis://:hunter2@x?addr=hunter2":        "addr is",
		"redis://:hunter2@x?addr=y:1&addr=:1":    "addr is",
		"redis://:hunter2@x?master_set=":         "master_set is",
		"redis://:hunter2@x?prefix=a&prefix=b":   "twice",
		"redis://:hunter2@x?evictoin=checked":    "none of",
		"redis://:hunter2@127.0.0.1:1?wait=1":    "connecting to Redis",
		"rediss://:hunter2@127.0.0.1:1/0?wait=1": "connecting to Redis",
	} {
		_, err := redis.Open(t.Context(), url, redis.Options{Unsealed: true, Timeout: 200 * time.Millisecond})
		wantSaid(t, url, err, want)
	}
	_, err := redis.Open(t.Context(), "redis://127.0.0.1:1", redis.Options{})
	wantErr(t, "no box", err, store.ErrNoBox)
}

// Of all attempts to use a state, one succeeds, at whichever instance.
func TestReplay(t *testing.T) {
	server := start(t)
	var instances []codec.ReplayStore
	for range 3 {
		r, err := redis.OpenReplay(t.Context(), server.URL(""), 0)
		must(t, err)
		defer r.Close()
		instances = append(instances, r)
	}
	storetest.UsedOnce(t, instances...)
	first, err := instances[0].Consume([16]byte{99}, time.Now().Add(-time.Second))
	if first {
		t.Error("an expired state was used")
	}
	wantSaid(t, "an expired state", err, "expired")

	hasty, err := redis.OpenReplay(t.Context(), server.URL(""), 200*time.Millisecond)
	must(t, err)
	defer hasty.Close()
	must(t, server.Signal(syscall.SIGSTOP))
	first, err = hasty.Consume([16]byte{100}, time.Now().Add(time.Hour))
	must(t, server.Signal(syscall.SIGCONT))
	if first || err == nil {
		t.Errorf("a server that stands still: got %v, %v", first, err)
	}
}

// A watch whose connection breaks says so, and tells what is there again.
func TestWatchBroken(t *testing.T) {
	server := start(t, "--appendonly", "yes", "--appendfsync", "always")
	storetest.WatchBroken(t, open(t, server.URL(""), redis.Options{}), server.killAndStart)
}
