package drafts_test

import (
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/drafts"
)

func TestEveryDialectHasItsName(t *testing.T) {
	tests := map[engine.Dialect]drafts.Dialect{
		engine.DialectMRTR:           drafts.MRTR,
		engine.DialectServerRequests: drafts.ServerRequests,
		engine.DialectApproved:       drafts.Approved,
		engine.DialectDraft:          drafts.Draft,
		engine.DialectDraftCamel:     drafts.DraftCamel,
		engine.DialectState:          drafts.SEP1685,
		engine.DialectAgreed:         drafts.Agreed,
	}
	if len(tests) != int(drafts.Unknown) {
		t.Errorf("got %d dialects, want %d", len(tests), drafts.Unknown)
	}
	for name, want := range tests {
		if got := drafts.Named(string(name)); got != want || want.Name() != string(name) {
			t.Errorf("%q: got %d, which is named %q, want %d", name, got, want.Name(), want)
		}
	}
	if got := drafts.Named("SEP-1"); got != drafts.Unknown {
		t.Errorf("SEP-1: got %d, want %d", got, drafts.Unknown)
	}
}
