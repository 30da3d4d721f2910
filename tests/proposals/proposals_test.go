package proposals_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/wire"
	"github.com/parley-mcp/parley/tests/proposals"
)

// stage is a story, and a server that plays it to one client.
type stage struct {
	name   string
	story  *proposals.Story
	server *proposals.Server
	url    string
}

func stages(t *testing.T) (all []stage) {
	t.Helper()
	paths, err := filepath.Glob("../../engine/testdata/sessions/proposal-*.txt")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d stories (%v)", len(paths), err)
	}
	for _, path := range paths {
		story, err := proposals.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		server := proposals.NewServer(story)
		http := httptest.NewServer(server)
		t.Cleanup(http.Close)
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "proposal-"), ".txt")
		all = append(all, stage{name, story, server, http.URL})
	}
	return all
}

// check says whether the story was told to its end.
func (s stage) check(t *testing.T, result string) {
	t.Helper()
	for _, fault := range s.server.Faults() {
		t.Error(fault)
	}
	if result != s.story.Result {
		t.Errorf("result: got %s, want %s", result, s.story.Result)
	}
}

func TestGo(t *testing.T) {
	for _, s := range stages(t) {
		t.Run(s.name, func(t *testing.T) { s.check(t, playGo(t, parley.Native{}, s)) })
	}
}

func TestWazero(t *testing.T) {
	runtime, err := parley.NewRuntime(parley.RuntimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close()
	for _, s := range stages(t) {
		t.Run(s.name, func(t *testing.T) { s.check(t, playGo(t, runtime, s)) })
	}
	if n := runtime.Live(); n != 0 {
		t.Errorf("%d flows, sessions and calls are still live", n)
	}
}

func playGo(t *testing.T, e parley.Engine, at stage) string {
	result, problems := runGo(t, e, at.url, at.story)
	if problems != "" {
		t.Error(problems)
	}
	return result
}

// runGo tells a story to a server. problems says how the call failed.
func runGo(t *testing.T, e parley.Engine, url string, s *proposals.Story) (result, problems string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	shape, bad := wire.Text.DecodeSessionNew(bytes.Clone(s.Session))
	if bad != nil {
		t.Fatal(bad)
	}
	opts := parley.SessionOptions{
		FirstID:  1, // as the scripts have it
		Known:    shape.Known,
		Versions: shape.Versions,
		Dialect:  shape.Dialect,
		Watchers: parley.SessionWatchers{OnWarning: func(text string) { t.Error("warning: " + text) }},
	}
	if shape.ClientInfo != nil {
		if err := json.Unmarshal(shape.ClientInfo, &opts.ClientInfo); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	asked := 0
	answer := func(context.Context, parley.Question) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		if asked++; asked > len(s.Answers) {
			return nil, errors.New("a question too many")
		}
		return []byte(s.Answers[asked-1]), nil
	}
	opts.Askers = parley.Askers{Elicit: answer, ElicitURL: answer, Sample: answer, ListRoots: answer, Tasks: s.Tasks}
	session, err := parley.NewSession(e, &parley.StreamableHTTP{URL: url}, opts)
	if err != nil {
		t.Fatal(err)
	}
	out, err := session.Call(ctx, parley.Request{Method: s.Method, Params: []byte(s.Params)})
	if err != nil {
		problems = err.Error()
	}
	if out.Lacks != "" {
		problems = string(out.Lacks)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if problems == "" && asked != len(s.Answers) {
		t.Errorf("%d questions, want %d", asked, len(s.Answers))
	}
	return string(out.Result), problems
}

// TestNode needs hosts/js, built, and Node.
func TestNode(t *testing.T) {
	node := findNode(t)
	all := stages(t)
	came := playNode(t, node, all)
	for i, s := range all {
		t.Run(s.name, func(t *testing.T) {
			for _, problem := range came[i].Problems {
				t.Error(problem)
			}
			s.check(t, came[i].Result)
		})
	}
}

func findNode(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat("../../hosts/js/dist/node.js"); err != nil {
		t.Skip("hosts/js is not built: run hosts/js/setup.sh")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node on PATH")
	}
	return node
}

// ended is what came of a story in Node.
type ended struct {
	Result   string
	Problems []string
}

// playNode plays stories in one process.
func playNode(t *testing.T, node string, all []stage) (came []ended) {
	t.Helper()
	type told struct {
		URL     string          `json:"url"`
		Session json.RawMessage `json:"session"`
		Method  string          `json:"method"`
		Params  string          `json:"params"`
		Answers []string        `json:"answers"`
	}
	var input []told
	for _, s := range all {
		shape := s.story.Session
		if s.story.Tasks { // JavaScript has it beside the rest
			shape = slices.Concat([]byte(`{"tasks":true,`), shape[1:])
			shape = bytes.ReplaceAll(shape, []byte(",}"), []byte("}"))
		}
		input = append(input, told{s.url, shape, s.story.Method, s.story.Params, s.story.Answers})
	}
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "client.mjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("client.mjs: %v", err)
	}
	if err := json.Unmarshal(output, &came); err != nil || len(came) != len(all) {
		t.Fatalf("client.mjs: %v: %s", err, output)
	}
	return came
}
