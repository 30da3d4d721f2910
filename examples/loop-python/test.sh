#!/usr/bin/env bash
# The loop that is driven by hand in Python, at go-server, at a server that means harm and at none: answered, parked, killed and
# resumed, by loop-go too.
# needs: go python
# seconds: 30
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  ../python-server/setup.sh >/dev/null || exit 77
  go mod download
}
run() {
  python=$(../python-server/setup.sh)
  PARLEY_EXAMPLES_PYTHON=$python go test -count=1 .
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
