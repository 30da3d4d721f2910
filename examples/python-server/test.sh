#!/usr/bin/env bash
# The server on the Python SDK is played the calls that go-server is played too, and says who may do what.
# needs: go python
# seconds: 15
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  ./setup.sh >/dev/null || exit 77
  go mod download
}
run() {
  python=$(./setup.sh)
  "$python" -B -m pytest -q -p no:cacheprovider -W error authorization_test.py limits_test.py kms_test.py
  PARLEY_EXAMPLES_PYTHON=$python go test -count=1 .
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
