// Package enginetest replays the corpus of flow scripts on any host of the
// engine, so that every host can be held to the same bytes.
//
// A script is a text file with one fact. Lines that begin with # say which.
// Each block is one call and, after ----, the exact answer:
//
//	new {"method":"tools/call","params":"{\"name\":\"greet\"}","options":{}}
//	----
//	ok
//
//	0 {"type":"begin"}
//	----
//	{"actions":[…]}
//
// The number is the time of the step in Unix milliseconds. Other calls are
//
//	snapshot          answers {"snapshot":"…"}
//	restore {…}       takes a snapshot and goes on with a flow restored from it;
//	                  the object is that of parley_flow_restore without snapshot
//	load {…}          begins a script with a snapshot of its own instead of new
//
// [RunSessions] has the calls of sessions. Scripts of hosts/testdata/drivers look
// alike; internal/drivertest has theirs.
//
// @repeat(x,200000) stands for 200,000 times the character x, or two of them, in
// calls and in answers.
package enginetest

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Script is one file of the corpus.
type Script struct {
	Header string // the comment lines
	Blocks []Block
}

// Block is one call and its answer.
type Block struct {
	Call   string
	Answer string
}

// ReadScript reads a script file.
func ReadScript(path string) (*Script, error) {
	s, err := readBlocks(path)
	if err != nil {
		return nil, err
	}
	if verb, _, _ := strings.Cut(s.Blocks[0].Call, " "); verb != "new" && verb != "load" && verb != "session" && verb != "call" {
		return nil, fmt.Errorf("%s: the first block must be new, load, session or call", path)
	}
	return s, nil
}

// readBlocks reads any file of calls and answers.
func readBlocks(path string) (*Script, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &Script{}
	text := string(data)
	for strings.HasPrefix(text, "#") {
		line, rest, _ := strings.Cut(text, "\n")
		s.Header += line + "\n"
		text = rest
	}
	for block := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		call, answer, found := strings.Cut(block, "\n----")
		if !found {
			return nil, fmt.Errorf("%s: the block %.60q has no line ----", path, block)
		}
		s.Blocks = append(s.Blocks, Block{Call: strings.TrimSpace(call), Answer: strings.TrimSpace(answer)})
	}
	if s.Header == "" {
		return nil, fmt.Errorf("%s: the first line must say with # what the script shows", path)
	}
	return s, nil
}

// Write writes the script back to its file.
func (s *Script) Write(path string) error {
	var b strings.Builder
	b.WriteString(s.Header)
	for _, block := range s.Blocks {
		fmt.Fprintf(&b, "\n%s\n----\n%s\n", block.Call, block.Answer)
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}

var repeat = regexp.MustCompile(`@repeat\((..?),(\d+)\)`)

// Expand replaces every @repeat.
func Expand(text string) string {
	return repeat.ReplaceAllStringFunc(text, func(match string) string {
		parts := repeat.FindStringSubmatch(match)
		n, err := strconv.Atoi(parts[2])
		if err != nil {
			return match
		}
		return strings.Repeat(parts[1], n)
	})
}

// collapse writes long runs of a letter, digit or bracket as @repeat.
func collapse(text string) string {
	const long = 300
	var b strings.Builder
	for i := 0; i < len(text); {
		n := 1
		for i+n < len(text) && text[i+n] == text[i] {
			n++
		}
		if n >= long {
			fmt.Fprintf(&b, "@repeat(%c,%d)", text[i], n)
		} else {
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}
