package system

import (
	"fmt"
	"runtime/debug"

	parley "github.com/parley-mcp/parley/hosts/go"
)

// Version is the module's.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// Engine is the engine that --engine names: wasm, which is in a sandbox with
// this many instances (0 for the host's default), or native. end ends it.
func Engine(name string, instances int) (engine parley.Engine, end func(), err error) {
	switch name {
	case "native":
		return parley.Native{}, func() {}, nil
	case "wasm":
		runtime, err := parley.NewRuntime(parley.RuntimeOptions{Instances: instances})
		if err != nil {
			return nil, nil, fmt.Errorf("the engine: %w", err)
		}
		return runtime, func() { runtime.Close() }, nil
	}
	return nil, nil, fmt.Errorf("--engine is wasm or native, not %q", name)
}
