package interop_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/interop"
)

const parleyPython = "parley-python"

// TestLeaving gives a call up, closes the session at once and ends the program:
// the server hears of it all the same. One that did not would work on for nobody,
// a task of it until its time to live is over.
func TestLeaving(t *testing.T) {
	for _, server := range []interop.Server{
		{Name: "ts-legacy", Era: interop.Legacy}, {Name: "ts", Era: interop.Modern},
		{Name: "python-legacy", Era: interop.Legacy}, {Name: "python", Era: interop.Legacy}, {Name: "python", Era: interop.Modern},
	} {
		t.Run(server.String(), func(t *testing.T) {
			t.Parallel()
			p := reach(t, server, interop.HTTP)
			witness := dial(t, parleyGo, p.transport(), server.Era)
			works := map[string]string{"slow": `{"name":"slow","arguments":{"id":%q,"seconds":3600}}`}
			if server.Name == "ts-legacy" {
				works["task"] = `{"name":"build","arguments":{"id":%q},"task":{"ttl":600000}}`
			}
			for work, params := range works {
				clients := maps.Clone(leavers)
				if server.Era == interop.Legacy {
					clients[overTSLegacy] = func(t *testing.T, at target, params string) string { return leaveProgram(t, overTSLegacy, at, params) }
				}
				for client, leave := range clients {
					t.Run(work+"/"+client, func(t *testing.T) {
						id := fmt.Sprintf("%016x", rand.Uint64())
						leave(t, p.at, fmt.Sprintf(params, id))
						outcome := interop.Case{Tool: "outcome", Arguments: fmt.Appendf(nil, `{"id":%q}`, id)}
						got := ""
						for late := time.Now().Add(interop.Patience); got != "cancelled" && time.Now().Before(late); time.Sleep(20 * time.Millisecond) {
							got = witness.say(t.Context(), outcome)
						}
						if got != "cancelled" {
							t.Errorf("at the server, afterwards: got %q, want %q", got, "cancelled")
						}
					})
				}
			}
		})
	}
}

// TestLeavingProcess does the same to a server that is a process of the client's,
// and says on its standard error what became of the call before it ends.
func TestLeavingProcess(t *testing.T) {
	for client, leave := range leavers {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			server := interop.Server{Name: "ts-legacy", Era: interop.Legacy}
			log := leave(t, target{command: server.Command(t)}, `{"name":"slow","arguments":{"id":"it","seconds":3600}}`)
			if !strings.Contains(log, "slow it: cancelled") {
				t.Errorf("the server has not heard of the cancellation: %q", log)
			}
		})
	}
}

// leavers are Parley's clients. What comes back is what a server that is their
// process has written on standard error.
var leavers = map[string]func(t *testing.T, at target, params string) (log string){
	parleyGo: leaveGo,
	parleyJS: func(t *testing.T, at target, params string) string { return leaveProgram(t, parleyJS, at, params) },
	parleyPython: func(t *testing.T, at target, params string) string {
		return leaveProgram(t, parleyPython, at, params)
	},
}

func leaveGo(t *testing.T, at target, params string) string {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	written, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer written.Close()
	transport := at.transport()
	if at.url == "" {
		transport = &parley.Stdio{Command: func() *exec.Cmd {
			cmd := exec.Command(at.command[0], at.command[1:]...)
			cmd.Stderr = written
			return cmd
		}}
	}
	ctx, leave := context.WithCancel(t.Context())
	s, err := parley.NewSession(parley.Native{}, transport, parley.SessionOptions{ProbeTimeout: interop.Patience, Askers: parley.Askers{Tasks: true}})
	if err != nil {
		t.Fatal(err)
	}
	watchers := &parley.Watchers{OnProgress: func(int, []byte) { leave() }, OnTask: func(engine.Task) { leave() }}
	if _, err := s.Call(ctx, parley.Request{Method: "tools/call", Params: []byte(params), Watchers: *watchers}); !errors.Is(err, fault.Canceled) {
		t.Errorf("got %v, want a call that was canceled", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	said, _ := os.ReadFile(log)
	return string(said)
}

func leaveProgram(t *testing.T, client string, at target, params string) string {
	t.Helper()
	interop.SetUp(t, client)
	script, err := filepath.Abs("run.sh")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), interop.Patience)
	defer cancel()
	var log strings.Builder
	cmd := exec.CommandContext(ctx, script, append([]string{"--ready", "leave", client, params}, append(at.command, at.url)...)...)
	if at.url == "" {
		cmd.Args = cmd.Args[:len(cmd.Args)-1]
	}
	cmd.Stderr = &log
	out, err := cmd.Output()
	if got := strings.TrimSpace(string(out)); err != nil || got != "canceled" {
		t.Errorf("the client: got %q, %v, want a call that was canceled: %s", got, err, log.String())
	}
	return log.String()
}
