package extism_test

import (
	"strings"
	"testing"

	"github.com/parley-mcp/parley/tests/interop"
)

// TestOfficialServers asks for a form, sampling and roots at the servers of the
// official SDKs in Go, TypeScript, Python and Rust, of this era and of the earlier
// one, twice in one session.
func TestOfficialServers(t *testing.T) {
	for _, server := range interop.Servers() {
		t.Run(server.String(), func(t *testing.T) {
			url := server.Start(t)
			each(t, nil, func(t *testing.T, h host) {
				begin(t, h, "can", eraCan, "clientInfo", `{"name":"test","version":"1"}`)
				wire := newNetwork(t, url)
				for range 2 {
					p := &person{t: t, network: wire}
					outcome := h.call(t, "call", callTool("ask_all"), p.answer)
					compare(t, outcome, `{"type":"done"}`)
					if result, _ := members(t, outcome)["result"].(string); !strings.Contains(result, "zoe; Museums.; file:///home/zoe/trips") || len(p.asked) != 3 {
						t.Errorf("got %s, and it asked %v", outcome, p.asked)
					}
				}
			})
		})
	}
}
