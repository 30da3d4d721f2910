package interop_test

import (
	"slices"
	"testing"

	"github.com/parley-mcp/parley/internal/interop"
)

// target is a server: its url, or the command that runs it over stdio.
type target struct {
	url     string
	command []string
}

// TestServers plays every call against every server with the official client
// of the same SDK: what another client is held to, the SDK's own can do.
func TestServers(t *testing.T) {
	for _, server := range interop.Servers() {
		for _, over := range []interop.Transport{interop.HTTP, interop.Stdio} {
			t.Run(server.String()+"/"+string(over), func(t *testing.T) {
				t.Parallel()
				at := target{command: server.Command(t)}
				if over == interop.HTTP {
					at = target{url: server.Start(t)}
				}
				cases := server.Cases(over)
				check(t, cases, play(t, server.Name, at, server.Era, cases))
			})
		}
	}
}

// TestWorkers has every leg of a call reach another process.
func TestWorkers(t *testing.T) {
	t.Parallel()
	at := target{url: interop.Workers(t, 2)}
	cases := slices.DeleteFunc(interop.Server{Name: "python", Era: interop.Modern}.Cases(interop.HTTP),
		func(c interop.Case) bool { return !c.AnyWorker() })
	check(t, cases, play(t, "python", at, interop.Modern, cases))
}

// play plays calls with the official client of an SDK.
func play(t *testing.T, sdk string, at target, era interop.Era, cases []interop.Case) []interop.Outcome {
	if sdk == "gosdk" {
		return playGo(t, at, era, cases)
	}
	return playProgram(t, sdk, at, era, cases)
}

func check(t *testing.T, cases []interop.Case, got []interop.Outcome) {
	t.Helper()
	if len(got) != len(cases) {
		t.Fatalf("outcomes: got %d, want %d", len(got), len(cases))
	}
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) { c.Check(t, got[i]) })
	}
}
