package parley_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
	"github.com/parley-mcp/parley/internal/wire"
)

const corpus = "../../engine/testdata/flows"

// TestCorpus replays the corpus of flows on the module for tests, which has their exports.
// What comes out must be the very bytes of the scripts.
func TestCorpus(t *testing.T) {
	for name, mode := range map[string]enginetest.Mode{"plain": enginetest.Plain, "parked": enginetest.Parked} {
		t.Run(name, func(t *testing.T) {
			m := newModule(t, flowModule(t))
			enginetest.Run(t, corpus, m, mode)
			if n := m.Call("parley_live"); n != 0 {
				t.Errorf("%d flows are still live", n)
			}
		})
	}
}

// TestCorpusMoves parks every flow between every two events and restores it in
// the other make of the engine: from Go into wasm, from wasm into Go.
func TestCorpusMoves(t *testing.T) {
	m := newModule(t, flowModule(t))
	enginetest.Run(t, corpus, &nomad{home: enginetest.Native{}, away: m}, enginetest.Parked)
	if n := m.Call("parley_live"); n != 0 {
		t.Errorf("%d flows are still live", n)
	}
}

func flowModule(t testing.TB) []byte {
	t.Helper()
	code, err := os.ReadFile("../../wasm/testdata/flow.wasm")
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// nomad restores flows at home and away in turn.
type nomad struct{ home, away enginetest.Host }

func (n *nomad) New(request []byte) (enginetest.Flow, []byte) { return n.home.New(request) }

func (n *nomad) Restore(request []byte) (enginetest.Flow, []byte) {
	n.home, n.away = n.away, n.home
	return n.home.Restore(request)
}

func TestMain(m *testing.M) { os.Exit(hosttest.Main(m)) }

// module is a host without package parley.
type module struct{ hosttest.Module }

func newModule(t testing.TB, code []byte) module { return module{hosttest.NewModule(t, code)} }

// write writes a script's request as a frame, and answer reads one back.
func (m module) write(request []byte) uint64 { return m.Write(enginetest.RequestRaw().Frame(request)) }

func (m module) answer(size uint32) []byte { return enginetest.AnswerRaw().Text(m.Answer(size)) }

func (m module) New(request []byte) (enginetest.Flow, []byte) {
	return m.handle(m.answer(m.Call("parley_flow_new", m.write(request))))
}

func (m module) Restore(request []byte) (enginetest.Flow, []byte) {
	return m.handle(m.answer(m.Call("parley_flow_restore", m.write(request))))
}

func (m module) handle(answer []byte) (enginetest.Flow, []byte) {
	handle, err := wire.Text.DecodeHandle(append([]byte(nil), answer...))
	if err != nil {
		return nil, answer
	}
	return moduleFlow{m, uint64(handle)}, nil
}

type moduleFlow struct {
	module
	handle uint64
}

func (f moduleFlow) Step(now int64, event []byte) []byte {
	answer := f.Answer(f.Call("parley_flow_step", f.handle, api.EncodeF64(float64(now)), f.write(event)))
	text := enginetest.AnswerRaw().Text(answer)
	if actions, err := wire.View.DecodeActions(answer); err == nil {
		if viewed := wire.Text.AppendActions(nil, actions); string(viewed) != string(text) { // as a host reads them
			return viewed
		}
	}
	return text
}

func (f moduleFlow) Snapshot() []byte { return f.answer(f.Call("parley_flow_snapshot", f.handle)) }

func (f moduleFlow) Close() { f.Call("parley_flow_free", f.handle) }

// TestCorpusInterleaved replays every script at once, block by block, on one
// instance, several times over, with all flows kept: garbage is collected
// between calls only, and must take nothing that a flow still needs.
func TestCorpusInterleaved(t *testing.T) {
	paths, err := filepath.Glob(corpus + "/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	m := newModule(t, flowModule(t))
	type run struct {
		script *enginetest.Script
		flow   enginetest.Flow
	}
	var runs []*run
	for range 10 {
		for _, path := range paths {
			s, err := enginetest.ReadScript(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(s.Blocks[0].Call, "new ") && s.Blocks[0].Answer == "ok" {
				runs = append(runs, &run{script: s})
			}
		}
	}
	steps := 0
	for block := 0; ; block++ {
		before := steps
		for _, r := range runs {
			if block >= len(r.script.Blocks) {
				continue
			}
			b := r.script.Blocks[block]
			verb, arg, _ := strings.Cut(enginetest.Expand(b.Call), " ")
			var got string
			switch verb {
			case "new":
				r.flow, _ = m.New([]byte(arg))
				got = "ok"
			case "snapshot":
				got = string(r.flow.Snapshot())
			case "restore": // TestCorpus covers it
				r.script.Blocks = nil
				continue
			default:
				now, err := strconv.ParseInt(verb, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				got = string(r.flow.Step(now, []byte(arg)))
			}
			if want := enginetest.Expand(b.Answer); got != want {
				t.Fatalf("%s\n%s\n got %.300s\nwant %.300s", r.script.Header, b.Call, got, want)
			}
			steps++
		}
		if steps == before {
			break
		}
	}
	if steps < 1000 {
		t.Errorf("only %d steps were made", steps)
	}
	t.Logf("%d steps, %d flows, %d KiB of memory", steps, len(runs), m.Size()>>10)
}
