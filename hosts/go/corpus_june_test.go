package parley_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/enginetest"
	"github.com/parley-mcp/parley/wasm"
)

const (
	november = "2025-11-25"
	june     = "2025-06-18"
)

// notInJune begin the names of scripts about what came after 2025-06-18: tasks,
// urls, and proposals that extend 2025-11-25.
var notInJune = regexp.MustCompile(`^(task-|url-|agreed-|approved-|draft-|dependent-|state-|proposal-|dialect-|options-|type-)`)

// leastInJune is how many scripts there are at least without those.
const leastInJune = 60

// TestSessionCorpusInJune replays the scripts of the corpus where a server speaks
// 2025-11-25 as if it spoke 2025-06-18: nothing else may differ.
func TestSessionCorpusInJune(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(sessionCorpus, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	dir, scripts := t.TempDir(), 0
	for _, path := range paths {
		s, err := enginetest.ReadScript(path)
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Base(path); !notInJune.MatchString(name) && inJune(s) {
			scripts++
			if err := s.Write(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if scripts < leastInJune {
		t.Errorf("there are %d scripts, want at least %d", scripts, leastInJune)
	}
	t.Run("native", func(t *testing.T) {
		enginetest.RunSessions(t, dir, sessionHost{parley.Native{}}, enginetest.Plain)
	})
	t.Run("boundary", func(t *testing.T) {
		enginetest.RunSessions(t, dir, newModule(t, wasm.Engine()), enginetest.Plain)
	})
}

// inJune changes the version of a script, and reports whether it had the other.
func inJune(s *enginetest.Script) (changed bool) {
	settled := false // initialize asks for the latest version until one is known
	for i := range s.Blocks {
		b := &s.Blocks[i]
		call := replaceVersion(b.Call, `\"protocolVersion\":\"`, `"known":"`, `"versions":["`)
		if strings.HasPrefix(call, "session ") {
			settled = call != b.Call
		}
		names := []string{`["MCP-Protocol-Version","`, `"version":"`}
		if settled {
			names = append(names, `\"protocolVersion\":\"`)
		}
		b.Answer = replaceVersion(b.Answer, names...)
		settled = settled || call != b.Call
		changed = changed || call != b.Call
		b.Call = call
	}
	return changed
}

func replaceVersion(text string, names ...string) string {
	for _, name := range names {
		text = strings.ReplaceAll(text, name+november, name+june)
	}
	return text
}
