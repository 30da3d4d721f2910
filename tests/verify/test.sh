#!/usr/bin/env bash
# The committed modules are what their sources give, byte for byte.
# needs: go node llvm
# seconds: 120
set -euo pipefail
cd "$(dirname "$0")/../../wasm/toolchain"
# If the toolchain cannot be installed, everything else can still be tested.
setup() { ./setup.sh || exit 77; }
run() { ./verify.sh; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
