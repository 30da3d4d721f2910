package redis_test

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"iter"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

// What the steps take at a Redis on this machine, one with 1,000 calls and one with
// CALLS, a million if nothing is said: go test -bench Figures -benchtime 1x -timeout 0.
func BenchmarkFigures(b *testing.B) {
	box := &seal.KeyFileBox{Name: filepath.Join(b.TempDir(), "key"), Create: true}
	filled := func(calls int) storetest.Filled {
		server := start(b)
		marks, err := redis.OpenReplay(b.Context(), server.URL(""), time.Minute)
		must(b, err)
		b.Cleanup(func() { marks.Close() })
		s := open(b, server.URL(""), redis.Options{Lease: time.Hour, Box: box, Timeout: time.Minute})
		return storetest.Filled{Calls: calls, Store: s, Marks: marks, Box: box, Bulk: func(b *testing.B, calls iter.Seq2[string, store.Sealed]) { bulk(b, server, calls) }}
	}
	storetest.Figures(b, filled(1e3), filled(storetest.FigureCalls(b, 1e6)), []int{1, 16, 64}, 20)
}

// bulk writes calls as LAYOUT.md has them, given back, and as many marks.
func bulk(b *testing.B, server *server, calls iter.Seq2[string, store.Sealed]) {
	client, err := rueidis.NewClient(rueidis.ClientOption{InitAddress: []string{server.Address()}, DisableCache: true})
	must(b, err)
	defer client.Close()
	var commands rueidis.Commands
	send := func(most int) {
		if len(commands) < most {
			return
		}
		for _, said := range client.DoMulti(b.Context(), commands...) {
			must(b, said.Error())
		}
		commands = nil
	}
	do := func(words ...string) {
		commands = append(commands, client.B().Arbitrary(words...).Build())
	}
	const month = 30 * 24 * time.Hour
	keep, i := strconv.FormatInt(month.Milliseconds(), 10), 0
	begun := time.Now().Add(-time.Hour).UnixMicro()
	for id, sealed := range calls {
		h := fnv.New32a()
		h.Write([]byte(id))
		part := fmt.Sprintf("parley:{%02d}:", h.Sum32()%64)
		at := strconv.FormatInt(begun+int64(i)*1000, 10)
		do("HSET", part+"call:"+id, "v", "1", "gen", "1", "token", "bulk", "at", at, "snap", string(sealed.Snapshot), "about", string(sealed.About), "tag", sealed.Tag)
		do("PEXPIRE", part+"call:"+id, keep)
		for _, index := range []string{"all", "of:" + sealed.Tag} {
			do("ZADD", part+index, at, id)
			if i < 10_000 { // until each is there
				do("PEXPIRE", part+index, keep)
			}
		}
		mark := storetest.FigureMark(i)
		do("SET", "parley:mark:"+hex.EncodeToString(mark[:]), "bulk", "PX", strconv.FormatInt(time.Hour.Milliseconds(), 10))
		send(5000)
		i++
	}
	send(1)
}
