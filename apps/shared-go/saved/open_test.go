package saved_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// TestWhere takes stores from a flag or the environment.
func TestWhere(t *testing.T) {
	tests := map[string]struct{ flag, env, want, problem string }{
		"nothing":                {},
		"a flag":                 {flag: "file:/calls", env: "redis://x", want: "file:/calls"},
		"the environment":        {env: "redis://u:hunter2@x?wait=1", want: "redis://u:hunter2@x?wait=1"},
		"a user":                 {flag: "rediss://u@x", want: "rediss://u@x"},
		"a password in the flag": {flag: "redis://u:hunter2@x", problem: "put the URL into PARLEY_STORE"},
		"no directory":           {flag: "file:", problem: "names a directory"},
		"a host":                 {flag: "file://host/dir", problem: "names a directory"},
		"postgres":               {env: "postgres://u:hunter2@x/db", want: "postgres://u:hunter2@x/db"},
		"a password of postgres": {flag: "postgresql://u:hunter2@x/db", problem: "put the URL into PARLEY_STORE"},
		"a path":                 {flag: "/calls", problem: "file:DIR, redis://"},
		"another":                {env: "hunter2", problem: "file:DIR, redis://"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := saved.Where(tt.flag, func(string) string { return tt.env })
			switch {
			case tt.problem == "" && (err != nil || got != tt.want):
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			case tt.problem != "" && (err == nil || !strings.Contains(err.Error(), tt.problem) || strings.Contains(err.Error(), "hunter2")):
				t.Errorf("got %v, want %q", err, tt.problem)
			}
		})
	}
}

// TestOpen has one program list what another saved, without taking it.
func TestOpen(t *testing.T) {
	box, dir := newStore(t).Box, "file:"+t.TempDir()
	calls, err := saved.Open(t.Context(), dir, store.Sealing{Box: box})
	if err != nil {
		t.Fatal(err)
	}
	id, err := saved.Put(t.Context(), calls, entry(t, "x"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := saved.Open(t.Context(), dir, store.Sealing{Box: box})
	if err != nil {
		t.Fatal(err)
	}
	list, err := saved.List(t.Context(), again)
	if err != nil || len(list) != 1 || list[0].ID != id || time.Since(list[0].Time) > time.Hour ||
		list[0].About.Label != "the desk" || list[0].About.Method != "tools/call" || list[0].About.Name != "x" || list[0].About.Peer == "" {
		t.Errorf("listed: %+v, %v", list, err)
	}
	if got := saved.Subject(list[0].About); got != "the tool x" {
		t.Errorf("it is about %q", got)
	}
	for url, want := range map[string]string{"redis://127.0.0.1:1/x": "number of a database", "postgres://127.0.0.1:1/x": "connecting to Postgres", "mysql://x": "postgres://USER@HOST"} {
		if _, err := saved.Open(t.Context(), url, store.Sealing{Box: box}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", url, err, want)
		}
	}
}
