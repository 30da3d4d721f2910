// Package modules compiles and instantiates the WebAssembly modules under
// wazero: no imports, no WASI, no files, bounded memory.
package modules

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/parley-mcp/parley/wasm"
)

// ErrInstance says that a WebAssembly instance is gone.
var ErrInstance = errors.New("parley: the WebAssembly instance is gone")

// Options are those of the packages that run modules.
type Options struct {
	CacheDir    string
	Instances   int
	MemoryLimit int
}

// Machine compiles modules.
type Machine struct {
	Most int // instances of a module

	rt    wazero.Runtime
	cache wazero.CompilationCache
}

const (
	page               = 64 << 10
	defaultMemoryLimit = 512 << 20
)

// New makes a machine. Close it.
func New(opts Options) (*Machine, error) {
	if opts.Instances <= 0 {
		opts.Instances = runtime.GOMAXPROCS(0)
	}
	if opts.MemoryLimit <= 0 {
		opts.MemoryLimit = defaultMemoryLimit
	}
	pages := min((opts.MemoryLimit+page-1)/page, 1<<16)
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(pages))
	m := &Machine{Most: opts.Instances}
	if opts.CacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(opts.CacheDir)
		if err != nil {
			return nil, fmt.Errorf("parley: opening the compilation cache: %w", err)
		}
		m.cache = cache
		config = config.WithCompilationCache(cache)
	}
	m.rt = wazero.NewRuntimeWithConfig(context.Background(), config)
	return m, nil
}

// Compile compiles a module. what names it in errors.
func (m *Machine) Compile(what string, binary []byte) (wazero.CompiledModule, error) {
	compiled, err := m.rt.CompileModule(context.Background(), binary)
	if err != nil {
		return nil, fmt.Errorf("parley: compiling the %s: %w", what, err)
	}
	return compiled, nil
}

// Instantiate makes an instance of a module and checks that both sides speak the
// same ABI.
func (m *Machine) Instantiate(what string, compiled wazero.CompiledModule) (api.Module, error) {
	ctx := context.Background()
	module, err := m.rt.InstantiateModule(experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(allocate)), compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return nil, fmt.Errorf("parley: instantiating the %s: %w", what, err)
	}
	version, err := module.ExportedFunction("parley_abi_version").Call(ctx)
	switch {
	case err != nil:
		err = fmt.Errorf("parley: asking the %s for its ABI version: %w", what, err)
	case uint32(version[0]) != wasm.ABIVersion:
		err = fmt.Errorf("parley: the %s speaks ABI version %d, this package version %d: use the module of the same release", what, uint32(version[0]), wasm.ABIVersion)
	default:
		return module, nil
	}
	module.Close(ctx)
	return nil, err
}

// Close ends every instance.
func (m *Machine) Close() error {
	err := m.rt.Close(context.Background())
	if m.cache != nil {
		err = errors.Join(err, m.cache.Close(context.Background()))
	}
	return err
}
