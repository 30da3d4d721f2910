package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// quietly opens a store behind a proxy, whose connections nothing uses but its steps.
func quietly(t *testing.T, proxy *backends.Cutter, schema string, within time.Duration) *postgres.Store {
	t.Helper()
	s := open(t, strings.Replace(urlOf(schema), server.Address(), proxy.Address(), 1), postgres.Options{Timeout: within})
	postgres.Quiet(s)
	return s
}

// A step that arrives late changes nothing.
func TestDelayed(t *testing.T) {
	proxy, schema := newCutter(t, "127.0.0.1"), newSchema()
	direct := open(t, urlOf(schema), postgres.Options{})
	storetest.Delayed(t, proxy, quietly(t, proxy, schema, 1500*time.Millisecond), quietly(t, proxy, schema, time.Minute), direct)
}

// A step whose caller went away is done, or it is as if it had never been.
func TestInterrupted(t *testing.T) {
	proxy, schema := newCutter(t, "127.0.0.1"), newSchema()
	storetest.Interrupted(t, storetest.Interrupting{There: &proxy.There, Back: &proxy.Back, Reached: &proxy.Reached},
		quietly(t, proxy, schema, 0), open(t, urlOf(schema), postgres.Options{}))
}

// A lease that two processes have is one's.
func TestTwins(t *testing.T) {
	storetest.Twins(t, open(t, urlOf(newSchema()), postgres.Options{}), postgres.Twin)
}
