package interop_test

import (
	"slices"
	"testing"

	"github.com/parley-mcp/parley/tests/interop"
)

// target is a server: its url, or the command that runs it over stdio.
type target struct {
	url     string
	command []string
}

// TestServers plays every call against every server: with the official client
// of the same SDK, because what another client is held to, the SDK's own can
// do, and with Parley's. The stories follow.
func TestServers(t *testing.T) {
	for _, server := range interop.Servers() {
		for _, over := range []interop.Transport{interop.HTTP, interop.Stdio} {
			t.Run(server.String()+"/"+string(over), func(t *testing.T) {
				t.Parallel()
				row := server.Name + ", " + string(server.Era) + ", " + string(over)
				p := reach(t, server, over)
				clients := []string{server.Name, parleyJS, overTS, overGo}
				if server.Era == interop.Legacy {
					clients = append(clients, overTSLegacy)
				}
				if (over == interop.HTTP) == (server.Era == interop.Modern) { // one transport of each is enough
					clients = append(clients, parleyWasm)
				}
				for _, client := range clients {
					try(t, withOthers, row, client, p.at, server.Era, casesOf(client, server, over))
				}
				c := dial(t, parleyGo, p.transport(), server.Era)
				t.Run(parleyGo, func(t *testing.T) {
					cases := server.Cases(over)
					withOthers.add(t, row, parleyGo, count(cases))
					check(t, cases, c.playAll(t, cases))
				})
				for _, s := range stories {
					if s.fits == nil || s.fits(p) {
						t.Run(s.name, func(t *testing.T) {
							withOthers.add(t, row, "stories", s.name)
							s.tell(t, p, c)
						})
					}
				}
			})
		}
	}
}

// casesOf are those that a client can play. Over stdio the TypeScript SDK's
// client forgets who wants to know of progress that comes in one piece with the
// result, and the Go SDK's lets the result overtake progress: what is made over
// them may miss the last of it. The Go SDK's client cannot read a question for
// roots that has no params, as all servers but its own send it in a round.
func casesOf(client string, server interop.Server, over interop.Transport) []interop.Case {
	cases := server.Cases(over)
	if client == overGo && server.Era == interop.Modern && server.Name != "gosdk" {
		cases = slices.DeleteFunc(cases, func(c interop.Case) bool { return slices.Contains(c.Asked, "roots") })
	}
	for i := range cases {
		if client == overGo || over == interop.Stdio && (client == overTS || client == overTSLegacy) {
			cases[i].Progress = nil
		}
	}
	return cases
}

// TestWorkers has every leg of a call reach another process.
func TestWorkers(t *testing.T) {
	t.Parallel()
	at := target{url: interop.Workers(t, 2)}
	for _, client := range []string{"python", parleyGo, parleyJS} {
		cases := slices.DeleteFunc(interop.Server{Name: "python", Era: interop.Modern}.Cases(interop.HTTP),
			func(c interop.Case) bool { return !c.AnyWorker() })
		try(t, withOthers, "python, modern, http, two workers", client, at, interop.Modern, cases)
	}
}

// TestPinned has a balancer keep a session at one of two processes by a cookie, of
// which neither knows the other's.
func TestPinned(t *testing.T) {
	for _, name := range []string{"gosdk", "ts-legacy"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := interop.Server{Name: name, Era: interop.Legacy}
			at := target{url: server.Pinned(t, 2)}
			for _, client := range []string{parleyGo, parleyWasm, parleyJS} {
				try(t, withOthers, name+", legacy, http, two processes, pinned", client, at, server.Era, server.Cases(interop.HTTP))
			}
		})
	}
}

// TestWithoutStreams has a server answer with a JSON object, where nothing but
// the answer finds its way.
func TestWithoutStreams(t *testing.T) {
	t.Parallel()
	server := interop.Server{Name: "gosdk", Era: interop.Modern}
	at := target{url: server.Start(t, "--json")}
	for _, client := range []string{"gosdk", parleyGo, parleyJS} {
		cases := slices.DeleteFunc(server.Cases(interop.HTTP), func(c interop.Case) bool { return c.Cancel || c.Progress != nil })
		try(t, withOthers, "gosdk, modern, http without streams", client, at, server.Era, cases)
	}
}

// try has a client play calls.
func try(t *testing.T, results *table, row, client string, at target, era interop.Era, cases []interop.Case) {
	t.Run(client, func(t *testing.T) {
		results.add(t, row, client, count(cases))
		if client != parleyGo && client != parleyWasm && client != overGo {
			interop.SetUp(t, client)
		}
		check(t, cases, play(t, client, at, era, cases))
	})
}

// play plays calls with one of the clients.
func play(t *testing.T, client string, at target, era interop.Era, cases []interop.Case) []interop.Outcome {
	switch client {
	case "gosdk":
		return playGo(t, at, era, cases)
	case parleyGo, parleyWasm, overGo:
		return playParley(t, client, at, era, cases)
	}
	return playProgram(t, client, at, era, cases)
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
