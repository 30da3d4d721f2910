package redis_test

import (
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store/redis"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// proxy is one before a server.
func (s *server) proxy() *backends.Cutter {
	s.t.Helper()
	p, err := backends.NewCutter("127.0.0.1", s.Address())
	must(s.t, err)
	s.t.Cleanup(func() { p.Close() })
	return p
}

// A step that arrives late changes nothing.
func TestDelayed(t *testing.T) {
	server := start(t)
	proxy := server.proxy()
	storetest.Delayed(t, proxy, open(t, "redis://"+proxy.Address(), redis.Options{Timeout: 200 * time.Millisecond}),
		open(t, "redis://"+proxy.Address(), redis.Options{Timeout: time.Minute}), open(t, server.URL(""), redis.Options{}))
}

// A step whose caller went away is done, or it is as if it had never been.
func TestInterrupted(t *testing.T) {
	server := start(t)
	proxy := server.proxy()
	storetest.Interrupted(t, storetest.Interrupting{There: &proxy.There, Back: &proxy.Back, Reached: &proxy.Reached},
		open(t, "redis://"+proxy.Address(), redis.Options{}), open(t, server.URL(""), redis.Options{}))
}

// A lease that two processes have is one's.
func TestTwins(t *testing.T) {
	storetest.Twins(t, open(t, start(t).URL(""), redis.Options{}), redis.Twin)
}
