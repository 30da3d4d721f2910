// Package bridge_test has official clients of one era call official servers of
// the other through apps/parley-bridge, as a program. The JavaScript beside it is
// what that table cannot tell.
package bridge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/tests/interop"
)

// program is the bridge, built by TestMain.
var program string

func TestMain(m *testing.M) { os.Exit(build(m)) }

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "bridge-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "parley-bridge.exe")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/parley-mcp/parley/apps/parley-bridge").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// command is the bridge's command line.
func command(args ...string) []string { return append([]string{program}, args...) }

// play has the client of an SDK play calls against the bridge: a URL, or its
// command.
func play(t *testing.T, client string, era interop.Era, at []string, cases []interop.Case) []interop.Outcome {
	t.Helper()
	interop.SetUp(t, client)
	args := []string{"client", client}
	if era == interop.Legacy {
		args = append(args, "--legacy")
	}
	if len(at) > 1 {
		args = append(args, "--")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "../interop/run.sh", append(args, at...)...)
	in, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &log
	out, err := cmd.Output()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("log of the client and, over stdio, of the bridge:\n%s", log.Bytes())
		}
	})
	var outcomes []interop.Outcome
	if err == nil {
		err = json.Unmarshal(out, &outcomes)
	}
	if err != nil || len(outcomes) != len(cases) {
		t.Fatalf("the %s client: %d outcomes of %d, %v\n%s", client, len(outcomes), len(cases), err, out)
	}
	return outcomes
}

// isOwn tells the bridge's own progress, which some clients want with every
// call, from the servers', which count in ones.
func isOwn(progress float64) bool { return progress != math.Trunc(progress) }

// reach is a server as the bridge's argument: a URL or "--" and a command.
func reach(t *testing.T, server interop.Server, over interop.Transport) []string {
	t.Helper()
	if over == interop.HTTP {
		return []string{server.Start(t)}
	}
	return append([]string{"--"}, server.Command(t)...)
}

// TestEras has clients of official SDKs play every call of tests/interop at
// servers of the other era. Both are programs that know nothing of a bridge.
func TestEras(t *testing.T) {
	server := func(name string, era interop.Era) interop.Server { return interop.Server{Name: name, Era: era} }
	tests := []struct {
		client     string
		downstream interop.Transport
		server     interop.Server
		upstream   interop.Transport
		flags      []string
	}{
		{"ts-legacy", interop.Stdio, server("gosdk", interop.Modern), interop.HTTP, nil},
		{"ts-legacy", interop.HTTP, server("gosdk", interop.Modern), interop.HTTP, []string{"--engine", "native"}},
		{"ts-legacy", interop.HTTP, server("ts", interop.Modern), interop.Stdio, nil},
		{"ts", interop.HTTP, server("python", interop.Modern), interop.HTTP, nil},
		{"python", interop.Stdio, server("ts", interop.Modern), interop.HTTP, nil},
		{"rust", interop.HTTP, server("python", interop.Modern), interop.Stdio, nil},
		{"ts", interop.HTTP, server("ts-legacy", interop.Legacy), interop.HTTP, nil},
		{"ts", interop.Stdio, server("ts-legacy", interop.Legacy), interop.Stdio, nil},
		{"python", interop.HTTP, server("gosdk", interop.Legacy), interop.HTTP, nil},
		{"rust", interop.Stdio, server("ts", interop.Legacy), interop.HTTP, nil},
	}
	for _, tt := range tests {
		name := strings.Join([]string{tt.client, string(tt.downstream), tt.server.String(), string(tt.upstream)}, " ")
		t.Run(name, func(t *testing.T) {
			interop.SetUp(t, tt.server.Name)
			args := append(tt.flags, reach(t, tt.server, tt.upstream)...)
			at := command(args...)
			if tt.downstream == interop.HTTP {
				at = []string{interop.Serve(t, command(append([]string{"--listen", ":0"}, args...)...)...)}
			}
			era := interop.Legacy
			if tt.server.Era == interop.Legacy {
				era = interop.Modern
			}
			cases := slices.DeleteFunc(tt.server.Cases(tt.upstream), func(c interop.Case) bool {
				// A client of 2025 is not asked for the same url twice.
				return era == interop.Legacy && c.Name == "page visited when asked again"
			})
			for i, got := range play(t, tt.client, era, at, cases) {
				got.Progress = slices.DeleteFunc(got.Progress, isOwn)
				t.Run(cases[i].Name, func(t *testing.T) { cases[i].Check(t, got) })
			}
		})
	}
}
