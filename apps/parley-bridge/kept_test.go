package main_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/parley-mcp/parley/apps/internal/storytest"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// TestKept ends a bridge while a client of 2025 is asked: the call is in the
// store, whoever has the key can list and take it, and one that its client cancels
// is gone.
func TestKept(t *testing.T) {
	for name, end := range map[string]syscall.Signal{"stopped": syscall.SIGTERM, "killed": syscall.SIGKILL, "canceled": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			box := &seal.KeyFileBox{Name: filepath.Join(dir, "key"), Create: true}
			if _, err := box.SealBytes(nil, nil); err != nil {
				t.Fatal(err)
			}
			where := "file:" + filepath.Join(dir, "calls")
			bridge := exec.Command(program, "--listen", ":0", "--engine", "native", "--store", where, "--key-file", box.Name, storytest.Start(t))
			stdout, err := bridge.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := bridge.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { bridge.Process.Kill() })
			line, _ := bufio.NewReader(stdout).ReadString('\n')
			c := begin(t, strings.TrimPrefix(strings.TrimSpace(line), "listening on "), `{"elicitation":{}}`)
			next := events(c.do("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_work_item","arguments":{"id":4711,"state":"Resolved"}}}`))
			for question := next(); message.Text([]byte(question.data), "method") != "elicitation/create"; question = next() {
				if question.data == ended {
					t.Fatal("nothing was asked")
				}
			}
			calls, err := saved.Open(t.Context(), where, store.Sealing{Box: box})
			if err != nil {
				t.Fatal(err)
			}
			list, err := saved.List(t.Context(), calls)
			if err != nil || len(list) != 1 || !list[0].Taken || list[0].About.Name != "update_work_item" || list[0].About.Questions != 1 {
				t.Fatalf("while it runs: %+v, %v", list, err)
			}
			if end == 0 {
				c.do("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
				for len(list) > 0 {
					if list, err = saved.List(t.Context(), calls); err != nil {
						t.Fatal(err)
					}
				}
				return
			}
			if err := bridge.Process.Signal(end); err != nil {
				t.Fatal(err)
			}
			bridge.Wait()
			lease, e, info, err := saved.Take(t.Context(), calls, list[0].ID)
			if err != nil || info.Questions != 1 || info.InDoubt || info.Over || e.Label == "" {
				t.Fatalf("afterwards: %+v, %+v, %v", e, info, err)
			}
			if err := lease.Done(t.Context()); err != nil {
				t.Error(err)
			}
			if _, _, _, err := saved.Take(t.Context(), calls, list[0].ID); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("done: %v", err)
			}
		})
	}
}

// TestQuota has users who may keep one call each: another of theirs goes on without,
// and nobody else's is kept from it.
func TestQuota(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	box, users := &seal.KeyFileBox{Name: filepath.Join(dir, "key"), Create: true}, filepath.Join(dir, "users")
	_, err := box.SealBytes(nil, nil)
	if err = errors.Join(err, os.WriteFile(users, []byte("ada aaaaaaaaaaaaaaaaaaaa\nbob bbbbbbbbbbbbbbbbbbbb\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	where := "file:" + filepath.Join(dir, "calls")
	url := listen(t, "--users", users, "--quota", "1", "--store", where, "--key-file", box.Name, storytest.Start(t))
	for _, user := range []string{"a", "a", "b"} {
		c := &client{t, url, map[string]string{"Authorization": "Bearer " + strings.Repeat(user, 20)}}
		res := c.do("POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",
			"clientInfo":{"name":"t","version":"1"},"capabilities":{"elicitation":{}}}}`)
		c.headers["Mcp-Session-Id"] = res.Header.Get("Mcp-Session-Id")
		next := events(c.do("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_work_item","arguments":{"id":4711,"state":"Resolved"}}}`))
		for question := next(); message.Text([]byte(question.data), "method") != "elicitation/create"; question = next() {
			if question.data == ended {
				t.Fatalf("%s: nothing was asked", user)
			}
		}
	}
	calls, err := saved.Open(t.Context(), where, store.Sealing{Box: box})
	if err != nil {
		t.Fatal(err)
	}
	list, err := saved.List(t.Context(), calls)
	var whose []string
	for _, call := range list {
		whose = append(whose, call.About.Principal)
	}
	slices.Sort(whose)
	if err != nil || !slices.Equal(whose, []string{"ada", "bob"}) {
		t.Errorf("got calls of %q, %v; want one of each", whose, err)
	}
}
