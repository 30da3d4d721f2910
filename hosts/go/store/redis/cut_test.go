package redis_test

import (
	"testing"

	"github.com/parley-mcp/parley/hosts/go/store/redis"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
	"github.com/parley-mcp/parley/internal/backends"
)

// A fenced save that is cut off at any byte, on its way there or back, is made
// again; what is done twice is done once.
func TestCut(t *testing.T) {
	server := start(t)
	proxy, err := backends.NewCutter("127.0.0.1", server.Address())
	must(t, err)
	defer proxy.Close()
	storetest.Cut(t, storetest.Cutting{There: &proxy.There, Back: &proxy.Back, Cuts: &proxy.Cuts},
		open(t, "redis://"+proxy.Address(), redis.Options{}), open(t, server.URL(""), redis.Options{}))
}
