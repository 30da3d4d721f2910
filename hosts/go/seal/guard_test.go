package seal_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// round takes a state out of one guard and into another.
func round(t *testing.T, from, to *codec.Guard) error {
	t.Helper()
	_, x, err := from.Inbound("tools/call", []byte(`{"name":"t"}`), nil)
	check(t, err)
	result, err := from.Outbound(x, []byte(`{"resultType":"input_required","requestState":"the state","inputRequests":{}}`))
	check(t, err)
	_, token, _ := strings.Cut(string(result), `"requestState":`)
	token, _, _ = strings.Cut(token, ",")
	params := []byte(`{"name":"t","requestState":` + token + `}`)
	opened, _, err := to.Inbound("tools/call", params, nil)
	if err == nil && !strings.Contains(string(opened), "the state") {
		t.Errorf("the state is lost: %s", opened)
	}
	if err == nil {
		_, _, err = to.Inbound("tools/call", params, nil)
	}
	return err
}

// Guards of one key file open each other's states; one of the process alone opens
// its own.
func TestNewGuard(t *testing.T) {
	file := filepath.Join(t.TempDir(), "server.key")
	check(t, seal.CreateKeyFile(file, newKeys(t, codec.SuiteXChaCha)))
	guard := func(file string, o codec.GuardOptions) *codec.Guard {
		t.Helper()
		g, err := seal.NewGuard(file, o)
		check(t, err)
		return g
	}
	ours, same := guard(file, codec.GuardOptions{Audience: "a"}), guard(file, codec.GuardOptions{Audience: "a"})
	check(t, round(t, ours, same))
	if err := round(t, ours, guard(file, codec.GuardOptions{Audience: "b"})); !errors.Is(err, refusal.Target) {
		t.Errorf("another audience: got %v", err)
	}
	local := guard("", codec.GuardOptions{})
	check(t, round(t, local, local))
	if err := round(t, local, guard("", codec.GuardOptions{})); !errors.Is(err, refusal.UnknownKey) {
		t.Errorf("another process: got %v", err)
	}
	if once := guard("", codec.GuardOptions{SingleUse: []string{"t"}}); !errors.Is(round(t, once, once), refusal.Replayed) {
		t.Error("a state was opened twice")
	}
	now := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
	late := guard("", codec.GuardOptions{SingleUse: []string{"t"}, Env: codec.Env{Now: func() time.Time { return now }}})
	if err := round(t, late, late); !errors.Is(err, refusal.Replayed) {
		t.Errorf("with a clock of its own: got %v", err)
	}
}

func TestNewGuardFails(t *testing.T) {
	if _, err := seal.NewGuard(filepath.Join(t.TempDir(), "none"), codec.GuardOptions{Audience: "a"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
	file := filepath.Join(t.TempDir(), "server.key")
	check(t, seal.CreateKeyFile(file, newKeys(t, codec.SuiteXChaCha)))
	if _, err := seal.NewGuard(file, codec.GuardOptions{}); !errors.Is(err, refusal.Options) {
		t.Errorf("no audience: got %v", err)
	}
}
