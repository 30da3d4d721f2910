package redis_test

import (
	"io"
	"net"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
)

// cutter is a proxy that cuts a connection once so many bytes have passed.
type cutter struct {
	net.Listener
	to    string
	there atomic.Int64 // bytes to the server that still pass; negative: all
	back  atomic.Int64 // the same for those of the server
	cuts  atomic.Int64
}

func newCutter(t *testing.T, to string) *cutter {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	c := &cutter{Listener: l, to: to}
	c.there.Store(-1)
	c.back.Store(-1)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", c.to)
			if err != nil {
				conn.Close()
				continue
			}
			go c.pass(server, conn, &c.there)
			go c.pass(conn, server, &c.back)
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
		if _, err := to.Write(data[:n]); err != nil && err != io.EOF {
			return
		}
		if cut {
			c.cuts.Add(1)
			return
		}
	}
}

// A fenced save that is cut off at any byte, on its way there or back, is made
// again; what is done twice is done once.
func TestCut(t *testing.T) {
	server := start(t)
	proxy := newCutter(t, server.Address())
	s, direct := open(t, "redis://"+proxy.Addr().String(), redis.Options{}), open(t, server.URL(""), redis.Options{})
	put(t, direct, "a", "0")
	lease, last := take(t, s, "a", "0"), "0"
	for name, left := range map[string]*atomic.Int64{"there": &proxy.there, "back": &proxy.back} {
		for at := int64(0); ; at++ {
			if at > 2000 {
				t.Fatalf("%s: a save never passes whole", name)
			}
			must(t, lease.Renew(t.Context())) // there is a connection
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
