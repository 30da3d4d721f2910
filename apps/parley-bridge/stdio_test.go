package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// TestStdioStops ends a bridge over stdio while its client of 2025 is asked: the
// client is told how to go on, if it still reads, and so is the log.
func TestStdioStops(t *testing.T) {
	ask := scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		if m.Method != "tools/call" {
			return `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`
		}
		return `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Sure?",
			"requestedSchema":{"type":"object","properties":{}}}}}}`
	})
	stop := func(cmd *exec.Cmd, _, _ io.Closer) error { return cmd.Process.Signal(syscall.SIGTERM) }
	ends := map[string]struct {
		end  func(cmd *exec.Cmd, stdin, stdout io.Closer) error
		told bool
	}{
		"stopped":          {stop, true},
		"at its end":       {func(_ *exec.Cmd, stdin, _ io.Closer) error { return stdin.Close() }, true},
		"nobody reads on":  {func(_ *exec.Cmd, stdin, stdout io.Closer) error { stdout.Close(); return stdin.Close() }, false},
		"stopped and deaf": {func(cmd *exec.Cmd, stdin, stdout io.Closer) error { stdout.Close(); return stop(cmd, stdin, stdout) }, false},
	}
	for name, tt := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			box := &seal.KeyFileBox{Name: filepath.Join(dir, "key"), Create: true}
			if _, err := box.SealBytes(nil, nil); err != nil {
				t.Fatal(err)
			}
			where := "file:" + filepath.Join(dir, "calls")
			bridge := exec.Command(program, "--engine", "native", "--grace", "10m", "--store", where, "--key-file", box.Name, ask)
			var log bytes.Buffer
			bridge.Stderr = &log
			stdin, err := bridge.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := bridge.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := bridge.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { bridge.Process.Kill() })
			lines := bufio.NewReader(stdout)
			until := func(has func(line []byte) bool) (line []byte) {
				for {
					line, err := lines.ReadBytes('\n')
					if err != nil {
						t.Fatalf("the bridge ended: %v\n%s", err, &log)
					}
					if has(line) {
						return line
					}
				}
			}
			fmt.Fprintln(stdin, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}`)
			until(func(line []byte) bool { return message.Text(line, "result", "protocolVersion") != "" })
			fmt.Fprintln(stdin, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			fmt.Fprintln(stdin, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"}}`)
			until(func(line []byte) bool { return message.Text(line, "method") == "elicitation/create" })
			if err := tt.end(bridge, stdin, stdout); err != nil {
				t.Fatal(err)
			}
			said := ""
			if tt.told {
				said = message.Text(until(func(line []byte) bool { return message.Get(line, "error") != nil }), "error", "message")
			}
			if err := bridge.Wait(); err != nil {
				t.Errorf("got %v, want that it ends well\n%s", err, &log)
			}
			calls, err := saved.Open(t.Context(), where, store.Sealing{Box: box})
			if err != nil {
				t.Fatal(err)
			}
			list, err := saved.List(t.Context(), calls)
			if err != nil || len(list) != 1 || list[0].Taken || list[0].About.Questions != 1 {
				t.Fatalf("kept: %+v, %v", list, err)
			}
			if tt.told && !strings.Contains(said, "parley resume "+list[0].ID) {
				t.Errorf("the client is told %q, want how to go on with %s", said, list[0].ID)
			}
			if !strings.Contains(log.String(), `"a call is kept: parley resume goes on with it" call=`+list[0].ID+` run="PARLEY_SNAPSHOT_KEY_FILE=`) {
				t.Errorf("the log does not say how to go on with %s:\n%s", list[0].ID, &log)
			}
		})
	}
}
