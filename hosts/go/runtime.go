package parley

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/wasm"
)

// ErrInstance says that a WebAssembly instance is gone: it trapped, or its
// Runtime was closed. A flow or session that it held cannot go on.
var ErrInstance = errors.New("parley: the WebAssembly instance is gone")

// RuntimeOptions shape a [Runtime]. The zero value means the defaults.
type RuntimeOptions struct {
	// CacheDir keeps the compiled module between processes, which saves some
	// tens of milliseconds at start. Empty means no cache: nothing is written.
	CacheDir string

	// Instances is how many instances of the module may exist, and of the
	// codec's for each codec, box and guard. Zero means one for each processor
	// Go uses.
	Instances int

	// MemoryLimit bounds the memory of one instance, in bytes. Zero means
	// 512 MiB; it is taken only as needed.
	MemoryLimit int
}

// Runtime runs the engine as WebAssembly under wazero, sandboxed: no imports,
// no WASI, no files, bounded memory. The module is compiled once; flows and
// sessions are spread over instances and stay on theirs. It runs the codec in the same way:
// see [Runtime.NewCodec]. A Runtime is safe for concurrent use.
type Runtime struct {
	rt       wazero.Runtime
	cache    wazero.CompilationCache
	compiled wazero.CompiledModule
	most     int

	codecs codecModules

	mu        sync.Mutex
	instances []*instance
	pools     map[*codecPool]bool
	closed    bool
}

const (
	wasmPage           = 64 << 10
	defaultMemoryLimit = 512 << 20
)

// NewRuntime compiles the module. ctx bounds the compilation only.
func NewRuntime(ctx context.Context, opts RuntimeOptions) (*Runtime, error) {
	if opts.Instances <= 0 {
		opts.Instances = runtime.GOMAXPROCS(0)
	}
	if opts.MemoryLimit <= 0 {
		opts.MemoryLimit = defaultMemoryLimit
	}
	pages := min((opts.MemoryLimit+wasmPage-1)/wasmPage, 1<<16)
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(pages))
	r := &Runtime{most: opts.Instances}
	if opts.CacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(opts.CacheDir)
		if err != nil {
			return nil, fmt.Errorf("parley: opening the compilation cache: %w", err)
		}
		r.cache = cache
		config = config.WithCompilationCache(cache)
	}
	r.rt = wazero.NewRuntimeWithConfig(ctx, config)
	var err error
	if r.compiled, err = r.rt.CompileModule(ctx, wasm.Session()); err != nil {
		r.Close()
		return nil, fmt.Errorf("parley: compiling the engine: %w", err)
	}
	first, err := r.instantiate()
	if err != nil {
		r.Close()
		return nil, err
	}
	r.instances = append(r.instances, first)
	return r, nil
}

// Close ends every instance. Flows, sessions, codecs and guards still open fail
// with [ErrInstance].
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
	for p := range r.pools {
		p.end()
	}
	r.codecs.close()
	err := r.rt.Close(context.Background())
	if r.cache != nil {
		err = errors.Join(err, r.cache.Close(context.Background()))
	}
	return err
}

// Live counts the flows, sessions and calls of sessions that are open.
func (r *Runtime) Live() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, i := range r.instances {
		n += int(i.live.Load())
	}
	return n
}

// Memory is how much memory the instances hold, in bytes; of codecs, those that
// are not in use.
func (r *Runtime) Memory() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, i := range r.instances {
		if !i.dead.Load() {
			n += int(i.memory.Size())
		}
	}
	for p := range r.pools {
		n += p.memory()
	}
	return n
}

// NewFlow implements [Engine].
func (r *Runtime) NewFlow(method string, params []byte, opts engine.Options) (Flow, error) {
	return opened(r, func(i *instance) (Flow, error) { return i.newFlow(method, params, opts) })
}

// RestoreFlow implements [Engine].
func (r *Runtime) RestoreFlow(snapshot []byte, expect engine.Expect) (Flow, error) {
	return opened(r, func(i *instance) (Flow, error) { return i.restoreFlow(snapshot, expect) })
}

// opened opens a flow or session on an instance of the runtime.
func opened[T any](r *Runtime, open func(*instance) (T, error)) (opened T, err error) {
	i, err := r.pick()
	if err != nil {
		return opened, err
	}
	opened, err = open(i)
	if err != nil {
		i.live.Add(-1)
	}
	return opened, err
}

// pick reserves a place on the instance that holds least, on a new one
// if all are in use and more may exist.
func (r *Runtime) pick() (*instance, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, ErrInstance
	}
	var best *instance
	alive := r.instances[:0]
	for _, i := range r.instances {
		if i.dead.Load() {
			continue
		}
		alive = append(alive, i)
		if best == nil || i.live.Load() < best.live.Load() {
			best = i
		}
	}
	clear(r.instances[len(alive):])
	r.instances = alive
	if best == nil || best.live.Load() > 0 && len(r.instances) < r.most {
		fresh, err := r.instantiate()
		if err != nil {
			return nil, err
		}
		r.instances = append(r.instances, fresh)
		best = fresh
	}
	best.live.Add(1)
	return best, nil
}
