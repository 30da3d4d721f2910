// Package enginetest replays the corpus of flow scripts on any host of the
// engine, so that every host can be held to the same bytes.
//
// A script is a text file with one fact. Lines that begin with # say which.
// Each block is one call and, after ----, the exact answer:
//
//	new {"method":"tools/call","params":{"name":"greet"},"options":{}}
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
// alike; internal/testkit/drivertest has theirs.
//
// A raw member (wasm/ABI.md, Frames) is a string in the notation. In a script it is
// an object or an array if its text is one: {"name":"greet"} above stands for the
// string "{\"name\":\"greet\"}", byte for byte. Other texts stay strings.
//
// @repeat(x,200000) stands for 200,000 times the character x, or two of them, in
// calls and in answers. It is read after that.
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

// Block is one call and its answer, in the notation.
type Block struct {
	Call   string
	Answer string
}

// ReadScript reads a script of flows or sessions.
func ReadScript(path string) (*Script, error) {
	s, err := ReadBlocks(path)
	if err != nil {
		return nil, err
	}
	if verb, _, _ := strings.Cut(s.Blocks[0].Call, " "); verb != "new" && verb != "load" && verb != "session" {
		return nil, fmt.Errorf("%s: the first block must be new, load or session", path)
	}
	for i, b := range s.Blocks {
		s.Blocks[i] = Block{Call: RequestRaw().Unfold(b.Call), Answer: AnswerRaw().Unfold(b.Answer)}
	}
	return s, nil
}

// ReadBlocks reads any file of calls and answers, as they stand there.
func ReadBlocks(path string) (*Script, error) {
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

// Write writes a script of flows or sessions to a file.
func (s *Script) Write(path string) error {
	shown := Script{Header: s.Header}
	for _, b := range s.Blocks {
		shown.Blocks = append(shown.Blocks, Block{Call: RequestRaw().fold(b.Call), Answer: AnswerRaw().fold(b.Answer)})
	}
	return shown.WriteBlocks(path)
}

// WriteBlocks writes what [ReadBlocks] reads.
func (s *Script) WriteBlocks(path string) error {
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
