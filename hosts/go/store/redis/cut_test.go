package redis_test

import (
	"testing"

	"github.com/parley-mcp/parley/hosts/go/store/redis"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

// A fenced save that is cut off at any byte, on its way there or back, is made
// again; what is done twice is done once.
func TestCut(t *testing.T) {
	server := start(t)
	proxy := server.proxy()
	storetest.Cut(t, storetest.Cutting{There: &proxy.There, Back: &proxy.Back, Cuts: &proxy.Cuts},
		open(t, "redis://"+proxy.Address(), redis.Options{}), open(t, server.URL(""), redis.Options{}))
}
