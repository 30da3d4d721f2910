package parley_test

import (
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// A host may keep thousands of calls that wait: each holds little beside what it
// was given.
func TestWaitingCall(t *testing.T) {
	native, err := hosttest.WaitingInHeap(10_000)
	must(t, err)
	if own := native - hosttest.WaitingPayload; own > 1_260 {
		t.Errorf("natively it holds %d bytes beside %d of payload, want at most 1,260", own, hosttest.WaitingPayload)
	}
	r, err := parley.NewRuntime(parley.RuntimeOptions{Instances: 1})
	must(t, err)
	defer r.Close()
	module, err := hosttest.WaitingInModule(r, 16<<20)
	must(t, err)
	if own := module - hosttest.WaitingPayload; own > 1_600 {
		t.Errorf("in a module it holds %d bytes beside %d of payload, want at most 1,600", own, hosttest.WaitingPayload)
	}
	t.Logf("natively %d bytes, in a module %d, %d of them payload", native, module, hosttest.WaitingPayload)
}
