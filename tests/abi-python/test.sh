#!/usr/bin/env bash
# A host written from wasm/ABI.md alone, in Python: it replays every script and frame of engine/testdata.
# needs: python
# seconds: 30
set -euo pipefail
cd "$(dirname "$0")"
python() { ../../examples/python-server/setup.sh || exit 77; }
setup() { python >/dev/null; }
run() {
  python=$(python)
  "$python" -B -m pytest -q -p no:cacheprovider -W error --tb=short .
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
