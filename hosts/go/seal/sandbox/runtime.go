// Package sandbox runs package codec as WebAssembly under wazero: no imports, no
// WASI, no files, bounded memory. Tokens, answers and errors are the same as
// natively, so that instances of a server may do it either way; the keys are in
// the sandbox's memory and wiped when it is closed.
//
//	rt, err := sandbox.NewRuntime(sandbox.RuntimeOptions{})
//	keys, err := seal.ReadKeyFile(name)
//	sealer, err := rt.NewCodec(keys, codec.CodecOptions{}, codec.Env{})
//	guard, err := seal.NewGuard("", codec.GuardOptions{Codec: sealer, Audience: "my-server", TTL: 24 * time.Hour})
package sandbox

import (
	"errors"
	"sync"

	"github.com/tetratelabs/wazero"

	"github.com/parley-mcp/parley/hosts/go/internal/modules"
	"github.com/parley-mcp/parley/wasm"
)

// ErrInstance says that a WebAssembly instance is gone: it trapped, or its
// Runtime, or what it belonged to, was closed.
var ErrInstance = modules.ErrInstance

// RuntimeOptions shape a [Runtime]. The zero value means the defaults.
type RuntimeOptions struct {
	// CacheDir keeps the compiled module between processes, which saves some
	// tens of milliseconds at start. Empty means no cache: nothing is written.
	CacheDir string

	// Instances is how many instances each codec, box and guard may have. Zero
	// means one for each processor Go uses.
	Instances int

	// MemoryLimit bounds the memory of one instance, in bytes. Zero means
	// 512 MiB; it is taken only as needed.
	MemoryLimit int
}

// Runtime makes codecs, boxes and guards. It is safe for concurrent use.
type Runtime struct {
	machine  *modules.Machine
	compiled wazero.CompiledModule

	mu     sync.Mutex
	pools  map[*pool]bool
	closed bool
}

// NewRuntime compiles the module, which takes some tens of milliseconds without a
// CacheDir. Close the Runtime.
func NewRuntime(opts RuntimeOptions) (*Runtime, error) {
	machine, err := modules.New(modules.Options(opts))
	if err != nil {
		return nil, err
	}
	r := &Runtime{machine: machine, pools: map[*pool]bool{}}
	if r.compiled, err = machine.Compile("codec", wasm.Codec()); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close waits for calls that are running and wipes all keys. What the runtime
// has made fails from now on with [ErrInstance].
func (r *Runtime) Close() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil
	}
	r.closed = true
	var err error
	for p := range r.pools {
		err = errors.Join(err, p.end())
	}
	r.mu.Unlock()
	return errors.Join(err, r.machine.Close())
}

// Memory is how much memory the idle instances hold, in bytes.
func (r *Runtime) Memory() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for p := range r.pools {
		n += p.memory()
	}
	return n
}
