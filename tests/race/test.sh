#!/usr/bin/env bash
# The race detector. It allocates, too, and long messages and many calls cost it half a minute in one goroutine.
# needs: go gcc
# seconds: 200
set -euo pipefail
cd "$(dirname "$0")/../.."
compiler() { command -v gcc || command -v clang-19; }
setup() { compiler >/dev/null || wasm/toolchain/setup.sh; }
run() {
  CC=$(compiler) || { echo "the race detector needs a C compiler; ./build.sh setup installs one" && exit 77; }
  export CGO_ENABLED=1 CC
  # What is beside hosts/go races natively or not at all: -short leaves the other engine out.
  GOWORK=off go test -race -timeout 30m -skip '^(TestAllocations|TestSlices|TestWaitingCall)$' ./codec/... ./hosts/go/...
  go test -race -timeout 30m -short ./tests/gosdk/... ./tests/stories/go-server/...
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
