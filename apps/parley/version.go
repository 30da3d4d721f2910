package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	protocol "github.com/parley-mcp/parley/engine/wire"
	"github.com/parley-mcp/parley/wasm"
)

func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func version() string {
	return fmt.Sprintf("parley %s\nengine: WebAssembly, ABI %d, %d bytes; protocol %s\n%s %s/%s\n",
		moduleVersion(), wasm.ABIVersion, len(wasm.Session()), protocol.ProtocolVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
