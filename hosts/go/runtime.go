package parley

import (
	"sync"

	"github.com/tetratelabs/wazero"

	"github.com/parley-mcp/parley/hosts/go/internal/modules"
	"github.com/parley-mcp/parley/wasm"
)

// ErrInstance says that a WebAssembly instance is gone: it trapped, or its
// Runtime was closed. A session that it held cannot continue.
var ErrInstance = modules.ErrInstance

// RuntimeOptions shape a [Runtime]. The zero value means the defaults.
type RuntimeOptions struct {
	// CacheDir keeps the compiled module between processes, which saves some
	// tens of milliseconds at start. Empty means no cache: nothing is written.
	CacheDir string

	// Instances is how many instances of the module may exist: one for each
	// session, and beyond that sessions share them. Zero means 64. An instance
	// takes 0.1 ms to make and half a MiB.
	Instances int

	// MemoryLimit bounds the memory of one instance, in bytes. Zero means
	// 512 MiB; it is taken only as needed.
	MemoryLimit int
}

// Runtime runs the engine as WebAssembly under wazero, sandboxed: no imports,
// no WASI, no files, bounded memory. The module is compiled once. A session has
// an instance of its own as long as there are enough, so that none waits for
// another. A Runtime is safe for concurrent use.
type Runtime struct {
	machine  *modules.Machine
	compiled wazero.CompiledModule

	mu        sync.Mutex
	instances []*instance
	closed    bool
}

// NewRuntime compiles the module, which takes some tens of milliseconds without
// a CacheDir. Close the Runtime.
func NewRuntime(opts RuntimeOptions) (*Runtime, error) {
	most := opts.Instances
	if most <= 0 {
		most = 64
	}
	opts.Instances = most
	machine, err := modules.New(modules.Options(opts))
	if err != nil {
		return nil, err
	}
	r := &Runtime{machine: machine}
	if r.compiled, err = machine.Compile("engine", wasm.Engine()); err != nil {
		r.Close()
		return nil, err
	}
	first, err := r.instantiate()
	if err != nil {
		r.Close()
		return nil, err
	}
	r.instances = append(r.instances, first)
	return r, nil
}

// Close ends every instance. Sessions still open fail with [ErrInstance].
func (r *Runtime) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	for _, i := range r.instances {
		i.close()
	}
	return r.machine.Close()
}

// Live counts the sessions and calls that are open.
func (r *Runtime) Live() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, i := range r.instances {
		n += max(0, int(i.live.Load()))
	}
	return n
}

// Memory is how much memory the instances hold, in bytes.
func (r *Runtime) Memory() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, i := range r.instances {
		if !i.dead.Load() {
			n += int(i.memory.Size())
		}
	}
	return n
}

// pick reserves a place on the instance that holds least, on a new one if all
// are in use and there may be more.
func (r *Runtime) pick() (*instance, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, ErrInstance
	}
	var best *instance
	alive := r.instances[:0]
	for _, i := range r.instances {
		if i.dead.Load() || i.live.Load() < 0 {
			continue
		}
		alive = append(alive, i)
		if best == nil || i.live.Load() < best.live.Load() {
			best = i
		}
	}
	clear(r.instances[len(alive):])
	r.instances = alive
	if best == nil || best.live.Load() > 0 && len(r.instances) < r.machine.Most || !best.reserve() {
		fresh, err := r.instantiate()
		if err != nil {
			return nil, err
		}
		r.instances = append(r.instances, fresh)
		best = fresh
		best.live.Add(1)
	}
	return best, nil
}
