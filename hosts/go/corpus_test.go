package parley_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/enginetest"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/enginewire"
	"github.com/parley-mcp/parley/internal/hosttest"
	"github.com/parley-mcp/parley/wasm"
)

const corpus = "../../engine/testdata/flows"

// TestCorpus replays the corpus through both engines behind this package's
// interface. What comes out must be the very bytes of the scripts.
func TestCorpus(t *testing.T) {
	for name, mode := range map[string]enginetest.Mode{"plain": enginetest.Plain, "parked": enginetest.Parked} {
		t.Run(name+"/native", func(t *testing.T) { enginetest.Run(t, corpus, host{parley.Native{}}, mode) })
		t.Run(name+"/wazero", func(t *testing.T) {
			rt := newRuntime(t, parley.RuntimeOptions{})
			enginetest.Run(t, corpus, host{rt}, mode)
			if n := rt.Live(); n != 0 {
				t.Errorf("%d flows are still live", n)
			}
		})
	}
}

// TestCorpusMoves parks every flow between every two events and restores it in
// the other make of the engine: from Go into wasm, from wasm into Go.
func TestCorpusMoves(t *testing.T) {
	rt := newRuntime(t, parley.RuntimeOptions{})
	enginetest.Run(t, corpus, &nomad{home: host{parley.Native{}}, away: host{rt}}, enginetest.Parked)
	if n := rt.Live(); n != 0 {
		t.Errorf("%d flows are still live", n)
	}
}

// nomad restores flows at home and away in turn.
type nomad struct{ home, away enginetest.Host }

func (n *nomad) New(request []byte) (enginetest.Flow, []byte) { return n.home.New(request) }

func (n *nomad) Restore(request []byte) (enginetest.Flow, []byte) {
	n.home, n.away = n.away, n.home
	return n.home.Restore(request)
}

func TestMain(m *testing.M) { os.Exit(hosttest.Main(m)) }

// host replays scripts on an [parley.Engine].
type host struct{ engine parley.Engine }

func (h host) New(request []byte) (enginetest.Flow, []byte) {
	method, params, opts, bad := enginewire.Text.DecodeNew(request)
	if bad != nil {
		return nil, enginewire.Text.AppendError(nil, bad)
	}
	f, err := h.engine.NewFlow(method, params, opts)
	if err != nil {
		return nil, enginewire.Text.AppendError(nil, err.(*engine.Error))
	}
	return hostFlow{f}, nil
}

func (h host) Restore(request []byte) (enginetest.Flow, []byte) {
	snapshot, expect, bad := enginewire.Text.DecodeRestore(request)
	if bad != nil {
		return nil, enginewire.Text.AppendError(nil, bad)
	}
	f, err := h.engine.RestoreFlow(snapshot, expect)
	if err != nil {
		return nil, enginewire.Text.AppendError(nil, err.(*engine.Error))
	}
	return hostFlow{f}, nil
}

type hostFlow struct{ flow parley.Flow }

func (f hostFlow) Close() { f.flow.Close() }

func (f hostFlow) Snapshot() []byte {
	snapshot, err := f.flow.Snapshot()
	if err != nil {
		return enginewire.Text.AppendError(nil, err.(*engine.Error))
	}
	return enginewire.Text.AppendSnapshot(nil, snapshot)
}

func (f hostFlow) Step(now int64, event []byte) []byte {
	ev, bad := enginewire.Text.DecodeEvent(event)
	if bad != nil {
		return enginewire.Text.AppendError(nil, bad)
	}
	actions, err := f.flow.Step(now, ev)
	if err != nil {
		return enginewire.Text.AppendError(nil, err.(*engine.Error))
	}
	return enginewire.Text.AppendActions(nil, actions)
}

// TestCorpusAtTheBoundary replays the corpus on the module's bare exports, as
// a host in another language would call them.
func TestCorpusAtTheBoundary(t *testing.T) {
	for name, code := range map[string][]byte{"without sessions": wasm.Engine(), "with sessions": wasm.Session()} {
		t.Run(name, func(t *testing.T) {
			m := newModule(t, code)
			enginetest.Run(t, corpus, m, enginetest.Plain)
			if n := m.Call("parley_live"); n != 0 {
				t.Errorf("%d flows are still live", n)
			}
		})
	}
}

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
	handle, err := enginewire.Text.DecodeHandle(append([]byte(nil), answer...))
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
	return f.answer(f.Call("parley_flow_step", f.handle, api.EncodeF64(float64(now)), f.write(event)))
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
	m := newModule(t, wasm.Engine())
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
