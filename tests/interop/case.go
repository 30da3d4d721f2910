package interop

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

//go:embed cases.json
var table []byte

// Case is a call, how a person answers what is asked, and what comes of it.
type Case struct {
	Name string `json:"name"`

	// One of them is set: the tool, the prompt or the resource's URI.
	Tool     string `json:"tool,omitempty"`
	Prompt   string `json:"prompt,omitempty"`
	Resource string `json:"resource,omitempty"`

	Arguments json.RawMessage `json:"arguments,omitempty"`

	// Task asks for a task, of a server of 2025-11-25: these are its params.
	// Later ones make a task of a call if they like to.
	Task json.RawMessage `json:"task,omitempty"`

	// Snapshot of a call like this one that was parked: it goes on. Only
	// Parley's clients take one.
	Snapshot string `json:"snapshot,omitempty"`

	// Answers are given to a question with this message; the last one also to
	// all that follow.
	Answers map[string][]Answer `json:"answers,omitempty"`

	// Cancel cancels the call at its first progress notification.
	Cancel bool `json:"cancel,omitempty"`

	// Then is a call of a tool that asks nothing, made afterwards, again and
	// again until it says Text, as long as [Patience] lasts.
	Then *Then `json:"then,omitempty"`

	// What the call comes to.
	Text     string    `json:"text,omitempty"`
	Asked    []string  `json:"asked,omitempty"` // messages, "roots" and "sampling: TEXT", sorted
	Progress []float64 `json:"progress,omitempty"`
	Logs     []string  `json:"logs,omitempty"` // of a client that asks for level info

	Eras     []Era `json:"eras,omitempty"` // empty means both
	OnlyHTTP bool  `json:"http,omitempty"`
}

// Answer is a person's.
type Answer struct {
	Action  string          `json:"action"` // accept, decline or cancel; park, if the client is Parley's
	Content json.RawMessage `json:"content,omitempty"`
	Visit   bool            `json:"visit,omitempty"` // the page, before accepting
	First   string          `json:"first,omitempty"` // a page to visit before answering, whatever is asked
}

// Then is a call and the text it has to come to.
type Then struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Text      string          `json:"text"`
}

// What a client says to any sampling request, and the root it has.
const (
	Sampled = "A line."
	Root    = "file:///interop"
)

// cases are those of an era over a transport, each with an id of its own where
// a server counts.
func cases(era Era, over Transport) (fit []Case) {
	var all []json.RawMessage
	if err := json.Unmarshal(table, &all); err != nil {
		panic(err) // the table is part of the program
	}
	for _, text := range all {
		id := fmt.Sprintf("%016x", rand.Uint64())
		var c Case
		if err := json.Unmarshal(bytes.ReplaceAll(text, []byte("$ID"), []byte(id)), &c); err != nil {
			panic(err)
		}
		if (len(c.Eras) == 0 || slices.Contains(c.Eras, era)) && (!c.OnlyHTTP || over == HTTP) {
			fit = append(fit, c)
		}
	}
	return fit
}

// AnyWorker reports whether each request of the call can be handled by another
// process: what the server knows is in the requests.
func (c Case) AnyWorker() bool {
	visits := false
	for _, answers := range c.Answers {
		visits = visits || slices.ContainsFunc(answers, func(a Answer) bool { return a.Visit })
	}
	return c.Then == nil && !visits
}

// Outcome is what a client saw of a call. Its JSON is what the official
// clients print.
type Outcome struct {
	Text      string    `json:"text,omitempty"`
	Error     string    `json:"error,omitempty"`
	Cancelled bool      `json:"cancelled,omitempty"`
	Snapshot  string    `json:"snapshot,omitempty"` // of a call that was parked
	Asked     []string  `json:"asked,omitempty"`    // in any order
	Progress  []float64 `json:"progress,omitempty"`
	Logs      []string  `json:"logs,omitempty"`
	Then      string    `json:"then,omitempty"`
}

// Check reports where got is not what the case comes to.
func (c Case) Check(t testing.TB, got Outcome) {
	t.Helper()
	if got.Error != "" {
		t.Errorf("got error %s", got.Error)
	}
	if got.Text != c.Text {
		t.Errorf("text: got %q, want %q", got.Text, c.Text)
	}
	if got.Cancelled != c.Cancel {
		t.Errorf("cancelled: got %v, want %v", got.Cancelled, c.Cancel)
	}
	if asked := slices.Sorted(slices.Values(got.Asked)); !slices.Equal(asked, c.Asked) {
		t.Errorf("asked: got %q, want %q", asked, c.Asked)
	}
	if !c.Cancel && !slices.Equal(got.Progress, c.Progress) {
		t.Errorf("progress: got %v, want %v", got.Progress, c.Progress)
	}
	if !slices.Equal(got.Logs, c.Logs) {
		t.Errorf("logs: got %q, want %q", got.Logs, c.Logs)
	}
	if c.Then != nil && got.Then != c.Then.Text {
		t.Errorf("afterwards: got %q, want %q", got.Then, c.Then.Text)
	}
}
