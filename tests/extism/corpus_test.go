package extism_test

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
)

// What a host whose callbacks block cannot say over a connection for requests, so that scripts with it cannot
// be played. Everything else of the corpus must come out byte for byte.
var unplayable = map[string]string{
	"begin":       "more rounds for a call that begins: it has all of MaxRounds",
	"notices":     "Save, Leg and Pause: callbacks come with snapshots, and post is the leg",
	"early":       "something said before begin, as the dialect of an earlier era",
	"leg":         "an answer to another leg than the one sent, while a question is put, or when the call is over",
	"message":     "what is no JSON-RPC response, which a session judges by itself",
	"slices":      "a response in slices: a callback returns all of it",
	"taskChanged": "a task has news while no exchange is open",
	"usage":       "an event that is a mistake of the host",
}

// leastPlayed of the corpus's scripts are played.
const leastPlayed = 276

func TestCorpus(t *testing.T) {
	paths, err := filepath.Glob("../../engine/testdata/flows/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	play := func(t *testing.T, h host) {
		played, skipped := 0, map[string]int{}
		for _, path := range paths {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
				script, err := enginetest.ReadScript(path)
				if err != nil {
					t.Fatal(err)
				}
				p := &player{t: t, host: h, blocks: script.Blocks}
				p.play()
				if p.skip == "" {
					played++
				} else if skipped[p.skip]++; unplayable[p.skip] == "" {
					t.Errorf("skipped for an unknown reason: %s", p.skip)
				}
			})
		}
		t.Logf("%d of %d scripts played; skipped: %v", played, len(paths), skipped)
		if played < leastPlayed {
			t.Errorf("%d scripts were played, want at least %d", played, leastPlayed)
		}
		for _, reason := range slices.Sorted(maps.Keys(unplayable)) {
			if skipped[reason] == 0 {
				t.Errorf("no script was skipped because of %s: take it out of the list", reason)
			}
		}
	}
	each(t, nil, play)
	t.Run("collecting", func(t *testing.T) { play(t, &wasteful{newPlugin(t, nil)}) })
}

// wasteful answers at length, so that garbage is collected while callbacks are
// out: nothing that is still needed may go with it.
type wasteful struct{ *plugin }

func (w *wasteful) call(t testing.TB, export string, input []byte, answer func(string, []byte) []byte) []byte {
	space := bytes.Repeat([]byte{' '}, 64<<10)
	return w.plugin.call(t, export, append(input, space...), func(callback string, text []byte) []byte {
		return append(answer(callback, text), space...)
	})
}
