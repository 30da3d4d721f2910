package interop_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parley-mcp/parley/tests/interop"
)

// TestAskingInPython has every client call tools that ask in straight code, on
// each kind of server there is in Python, in both eras: rounds in one, requests
// of the server's own in the other.
func TestAskingInPython(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cases := []interop.Case{
		{
			Name: "two forms", Tool: "names", Answers: accept("Your name?", `{"a":"Ada"}`, "Your friend's?", `{"a":"Bob"}`),
			Asked: []string{"Your friend's?", "Your name?"}, Text: "Ada and Bob",
		},
		{
			Name: "declined and cancelled", Tool: "names",
			Answers: map[string][]interop.Answer{"Your name?": {{Action: "decline"}}, "Your friend's?": {{Action: "cancel"}}},
			Asked:   []string{"Your friend's?", "Your name?"}, Text: "decline and cancel",
		},
		{
			Name: "every kind", Tool: "trip", Answers: accept("Where to?", `{"a":"Oslo"}`, "From?", `{"a":"Bergen"}`),
			Asked: []string{"From?", "Where to?", "roots", "sampling: Name a river."},
			Text:  "Bergen Oslo " + interop.Root + " " + interop.Sampled,
		},
	}
	for _, kind := range []string{"lowlevel", "mcpserver", "fastmcp"} {
		for _, era := range []interop.Era{interop.Modern, interop.Legacy} {
			row := "python, asking, " + kind + ", " + string(era)
			t.Run(kind+"@"+string(era), func(t *testing.T) {
				t.Parallel()
				var flags []string
				if era == interop.Legacy {
					flags = []string{"--legacy"}
				}
				at := target{url: interop.Serve(t, askingInPython(t, root, kind, flags...)...)}
				for _, client := range []string{"gosdk", "ts", "python", "rust", parleyGo, parleyJS} {
					try(t, withSealed, row, client, at, era, cases)
				}
			})
		}
	}
}

// TestRoundsInGo has clients of the earlier era, those of the SDKs' first
// versions too, call a tool that asks ten times by its results.
func TestRoundsInGo(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	one := interop.Case{Name: "ten rounds", Tool: "rounds", Text: "abcdefghij"}
	for i, letter := range one.Text {
		question := fmt.Sprintf("Letter %d?", i+1)
		one.Asked = append(one.Asked, question)
		said = append(said, question, fmt.Sprintf(`{"a":%q}`, string(letter)))
	}
	slices.Sort(one.Asked)
	one.Answers = accept(said...)
	at := target{url: interop.Serve(t, append(askingInGo(t, root), "-legacy")...)}
	// Not rust: rmcp initializes with 2026-07-28, and the Go SDK then takes it for a client that has rounds.
	for _, client := range []string{"gosdk", "ts-legacy", "ts", "python", parleyGo, parleyJS} {
		try(t, &table{columns: []string{"all"}}, "go, rounds, legacy", client, at, interop.Legacy, []interop.Case{one})
	}
}
