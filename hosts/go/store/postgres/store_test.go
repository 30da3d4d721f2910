package postgres_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Test(t, func(t testing.TB) storetest.Place {
		schema := newSchema()
		return storetest.Place{
			Open: func(t testing.TB, o storetest.Options) store.Store {
				s, err := postgres.Open(context.Background(), urlOf(schema), postgres.Options{Box: o.Box, Unsealed: o.Unsealed, Lease: o.Lease, Keep: o.Keep})
				if err != nil {
					return storetest.Refusing(err)
				}
				t.Cleanup(func() { s.Close() })
				return s
			},
			Sealed: true,
			Damage: func(t testing.TB, id string) {
				sql(t, "update "+schema+".calls set snapshot = '\\x6761726261676500' where id = $1", id)
			},
			Relayout: func(t testing.TB, id string) { sql(t, "update "+schema+".calls set version = 2 where id = $1", id) },
		}
	})
}

// URLs that cannot be used are refused in words that hold nothing of them.
func TestURLs(t *testing.T) {
	for url, want := range map[string]string{
		"":                         "postgres://USER@HOST:PORT",
		"http://:hunter2@x":        "postgres://USER@HOST:PORT",
		"postgres://:hunter2@\x7f": "postgres://USER@HOST:PORT",
		"postgres://u:hunter2@x?schema={hunter2}":    "schema is",
		"postgres://u:hunter2@x?schema=":             "schema is",
		"postgres://u:hunter2@x?schema=pg_hunter2":   "schema is",
		"postgres://u:hunter2@x?durability=hunter2":  "durability=checked",
		"postgres://u:hunter2@x?options=hunter2":     "none of",
		"postgres://u:hunter2@x?sslmode=hunter2":     "a value",
		"postgres://u:hunter2@127.0.0.1:1/db":        "connecting to Postgres",
		"postgresql://u:hunter2@127.0.0.1:1/hunter3": "connecting to Postgres",
	} {
		_, err := postgres.Open(t.Context(), url, postgres.Options{Unsealed: true, Timeout: 200 * time.Millisecond})
		wantSaid(t, url, err, want)
	}
	_, err := postgres.Open(t.Context(), "postgres://127.0.0.1:1", postgres.Options{})
	wantErr(t, "no box", err, store.ErrNoBox)
	_, err = postgres.Open(t.Context(), strings.Replace(server.URL(""), "durability=checked", "", 1), postgres.Options{Unsealed: true})
	wantSaid(t, "a server that syncs nothing", err, "durability=checked")
	_, err = postgres.Open(t.Context(), strings.Replace(server.URL(""), "/postgres?", "/nothing?", 1), postgres.Options{Unsealed: true})
	wantSaid(t, "no database", err, "does not exist")
}

// A user who may read and write the tables, and make none, can use them.
func TestAllowed(t *testing.T) {
	schema := newSchema()
	storetest.Put(t, open(t, urlOf(schema), postgres.Options{}), "a", "1")
	sql(t, "create user clerk; grant usage on schema "+schema+" to clerk; grant select, insert, update, delete on all tables in schema "+schema+" to clerk")
	url := strings.Replace(urlOf(schema), "parley@", "clerk@", 1)
	s := open(t, url, postgres.Options{})
	must(t, storetest.Take(t, s, "a", "1").Done(t.Context()))
	storetest.Put(t, s, "b", "1")
	must(t, s.Delete(t.Context(), "b"))
	_, err := postgres.Open(t.Context(), strings.Replace(url, schema, newSchema(), 1), postgres.Options{Unsealed: true})
	wantSaid(t, "no tables", err, "refuses the user")
}

// Of all attempts to use a state, one succeeds, at whichever instance.
func TestReplay(t *testing.T) {
	schema := newSchema()
	var instances []codec.ReplayStore
	for range 3 {
		r, err := postgres.OpenReplay(t.Context(), urlOf(schema), 0)
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
	var kept bool
	must(t, admin(t).QueryRow(t.Context(), "select min(until) > clock_timestamp() + interval '61 minutes' from "+schema+".marks").Scan(&kept))
	if !kept {
		t.Error("a mark is not kept for two minutes more")
	}

	hasty, err := postgres.OpenReplay(t.Context(), urlOf(schema), 200*time.Millisecond)
	must(t, err)
	defer hasty.Close()
	must(t, server.Stop())
	first, err = hasty.Consume([16]byte{100}, time.Now().Add(time.Hour))
	must(t, server.Continue())
	if first || err == nil {
		t.Errorf("a server that stands still: got %v, %v", first, err)
	}
}

// What is over goes, a batch at a time.
func TestCleaned(t *testing.T) {
	schema := newSchema()
	s := open(t, urlOf(schema), postgres.Options{})
	sql(t, "insert into "+schema+".calls select 'x' || n, 1, 'y', null, 1, false, clock_timestamp(), pg_current_xact_id() from generate_series(1, 1200) n")
	for left, i := 1200, 0; left > 0; i++ {
		storetest.Put(t, s, fmt.Sprint("call", i), "1")
		must(t, admin(t).QueryRow(t.Context(), "select count(*) from "+schema+".calls where id like 'x%'").Scan(&left))
	}
}

// What a step costs the server does not grow with the calls that are there: the
// statements and the pages that they touch, by its own count, at 1,000 calls and
// at 30,000, of which it knows nothing but that they are there.
func TestCost(t *testing.T) {
	restart(t, "shared_preload_libraries=auto_explain", "auto_explain.log_min_duration=0", "auto_explain.log_analyze=on", "auto_explain.log_buffers=on", "auto_explain.log_timing=off", "autovacuum=off")
	defer restart(t)
	schema := newSchema()
	s := open(t, urlOf(schema), postgres.Options{})
	postgres.Quiet(s)
	marks, err := postgres.OpenReplay(t.Context(), urlOf(schema), time.Minute)
	must(t, err)
	defer marks.Close()
	marked := byte(0)
	fill := func(from, to int) {
		sql(t, "insert into "+schema+".calls select 'c' || n, 1, 'x', null, n, false, clock_timestamp() + interval '1 hour', pg_current_xact_id(), $1, null, repeat('x', 1500)::bytea from generate_series($2::int, $3) n", tagOf(t, "ann"), from, to)
		sql(t, "insert into "+schema+".marks select decode(md5(n::text), 'hex'), 'x', clock_timestamp() + interval '1 hour' from generate_series($1::int, $2) n", from, to)
	}
	storetest.Put(t, s, "first", "1")
	steps := func() map[string][2]int {
		cost := map[string][2]int{}
		var lease store.Lease
		var err error
		count := func(what string, do func()) {
			statements, pages := explained(t)
			do()
			after, touched := explained(t)
			cost[what] = [2]int{after - statements, touched - pages}
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
		count("create", func() { lease, err = s.Create(t.Context(), "measured"); must(t, err) })
		count("save", func() { must(t, lease.Save(t.Context(), []byte("1"), store.About{Principal: "ann"})) })
		count("renew", func() { must(t, lease.Renew(t.Context())) })
		count("release", func() { must(t, lease.Release(t.Context())) })
		count("take", func() { lease = storetest.Take(t, s, "measured", "1") })
		count("done", func() { must(t, lease.Done(t.Context())) })
		storetest.Put(t, s, "discarded", "1")
		count("delete", func() { must(t, s.Delete(t.Context(), "discarded")) })
		marked++
		count("mark", func() { _, err := marks.Consume([16]byte{marked}, time.Now().Add(time.Hour)); must(t, err) })
		count("page", page(store.Query{Limit: 20}))
		count("newest", page(store.Query{Limit: 20, Newest: true}))
		count("principal", page(store.Query{Limit: 20, Principal: "ann"}))
		sql(t, "delete from "+schema+".calls where id = any(array['measured', 'discarded'])")
		return cost
	}
	fill(1, 1000)
	steps() // so that statements are prepared, and hints on index entries set
	few := steps()
	fill(1001, 30000)
	steps()
	many := steps()
	t.Logf("statements and pages a step: %v", many)
	const deeper = 12 // an index that is a level deeper, for each of them, and what fills up
	for what, n := range many {
		if n[0] != few[what][0] || n[0] == 0 || n[1] > few[what][1]+deeper {
			t.Errorf("%s: %v at 1,000 calls, %v at 30,000", what, few[what], n)
		}
	}
}

// tagOf is what stands for a principal where nothing is sealed.
func tagOf(t testing.TB, principal string) string {
	tags, err := store.Sealing{Unsealed: true}.Tags(principal)
	must(t, err)
	return tags[0]
}

// explained is how many statements the server has run since it was started, and
// the pages that these have touched.
func explained(t testing.TB) (statements, pages int) {
	log, err := server.Log()
	must(t, err)
	for _, one := range strings.Split(log, " plan:\n")[1:] {
		if !strings.Contains(one, "calls") && !strings.Contains(one, "marks") {
			continue
		}
		statements++
		_, rest, _ := strings.Cut(one, "Buffers: shared ")
		line, _, _ := strings.Cut(rest, "\n")
		for word := range strings.FieldsSeq(line) {
			name, number, _ := strings.Cut(word, "=")
			if n, err := strconv.Atoi(number); err == nil && (name == "hit" || name == "read") {
				pages += n
			}
		}
	}
	return statements, pages
}
