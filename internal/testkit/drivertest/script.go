package drivertest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

// Script is one file.
type Script struct {
	Name   string
	Blocks []Block

	needs []string // what must be there beside a driver
	marks []string // names of drivers that are to change
	file  *enginetest.Script
	path  string
}

// Block is what happens, and what comes of it.
type Block struct{ Inputs, Calls []string }

func read(path string) (*Script, error) {
	file, err := enginetest.ReadBlocks(path)
	if err != nil {
		return nil, err
	}
	s := &Script{Name: strings.TrimSuffix(filepath.Base(path), ".txt"), file: file, path: path}
	for line := range strings.Lines(file.Header) {
		if needs, found := strings.CutPrefix(line, "# needs: "); found {
			s.needs = append(s.needs, strings.TrimSpace(needs))
		}
		if mark, found := strings.CutPrefix(line, "# to change: "); found {
			name, _, said := strings.Cut(mark, ":")
			if !said {
				return nil, fmt.Errorf("%s: a mark says of whom, and what it does today: # to change: go: …", path)
			}
			s.marks = append(s.marks, name)
		}
	}
	for _, b := range file.Blocks {
		s.Blocks = append(s.Blocks, Block{lines(b.Call), lines(b.Answer)})
	}
	return s, nil
}

func lines(text string) (all []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line != "nothing" {
			all = append(all, line)
		}
	}
	return all
}

// rewrite puts what was called in place of what is expected.
func (s *Script) rewrite(calls [][]string) error {
	for i, all := range calls {
		s.file.Blocks[i].Answer = shown(all)
	}
	return s.file.WriteBlocks(s.path)
}

func shown(all []string) string {
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, "\n")
}

// Uses reports whether something that happens in the script, one of its
// callbacks or something else of note is of this name: other, session, canceled,
// or together, for questions that may be open at a time.
func (s *Script) Uses(name string) bool {
	for _, b := range s.Blocks {
		for _, input := range b.Inputs {
			if slices.Contains(ReadInput(input).uses(), name) {
				return true
			}
		}
	}
	return false
}

// Needs reports whether a line of the header says so.
func (s *Script) Needs(what string) bool { return slices.Contains(s.needs, what) }

// Input is a line of what happens.
type Input struct {
	Other  bool
	Verb   string
	Target string // a leg or a key, where the verb has one
	Rest   string
}

var targeted = []string{"response", "base64", "lost", "unsent", "progress", "answer", "refuse", "parks", "minds", "panic", "trap"}

// ReadInput takes a line apart.
func ReadInput(line string) (in Input) {
	line, in.Other = strings.CutPrefix(enginetest.Expand(line), "other ")
	in.Verb, in.Rest, _ = strings.Cut(line, " ")
	if slices.Contains(targeted, in.Verb) {
		in.Target, in.Rest, _ = strings.Cut(in.Rest, " ")
	}
	return in
}

// String is the line.
func (in Input) String() string {
	var words []string
	if in.Other {
		words = append(words, "other")
	}
	words = append(words, in.Verb)
	if in.Target != "" {
		words = append(words, in.Target)
	}
	if in.Rest != "" || in.Target != "" && in.Verb != "parks" {
		words = append(words, in.Rest)
	}
	return strings.Join(words, " ")
}

// named reports whether a line is what an until waits for.
func (in Input) named(line string) bool {
	name, _, _ := strings.Cut(line, " ")
	return name == in.Rest
}

// Call is what stands behind call.
type Call struct {
	Method    string
	Params    json.RawMessage
	Options   json.RawMessage
	Callbacks []string
	Session   []string
	Canceled  string // the words with which the caller gave up before
}

// Resume is what stands behind resume.
type Resume struct {
	Callbacks     []string
	Expect        json.RawMessage
	Resend, Again bool
	MoreRounds    int
	From          string
	Snapshot      string // in place of one of its own
}

// Has reports whether the call has a callback.
func (c *Call) Has(name string) bool { return slices.Contains(c.Callbacks, name) }

func (in Input) uses() []string {
	names := []string{in.Verb}
	if in.Other {
		names = append(names, "other")
	}
	if in.Verb != "call" && in.Verb != "resume" {
		return names
	}
	var c Call
	json.Unmarshal([]byte(in.Rest), &c) // what is wrong with it is found when it is played
	if c.Session != nil {
		names = append(names, "session")
	}
	if c.Canceled != "" {
		names = append(names, "canceled")
	}
	if strings.Contains(string(c.Options), "askConcurrency") {
		names = append(names, "together")
	}
	return append(append(names, c.Callbacks...), c.Session...)
}
