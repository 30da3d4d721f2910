#!/usr/bin/env bash
# Sessions that go as badly as they can, on the driver of Python. test.sh run -sessions 200000 plays as many.
# needs: go python
# seconds: 25
set -euo pipefail
cd "$(dirname "$0")"

environment() { ../../../examples/python-server/setup.sh || exit 77; }

setup() {
  environment >/dev/null
  go mod download
}

# Not from Go's cache, which does not see the driver.
run() {
  local python
  python=$(environment)
  go test -count=1 -timeout 60m -run Python .. -python "env PYTHONPATH=$(realpath ../../../hosts/python/tests) $python -B -m host.stage_server" -sessions 1000 "$@"
}

case ${1:-} in setup) setup ;; run) run "${@:2}" ;; "") setup; run ;; *) echo "usage: test.sh [setup | run [flags of the test]]" >&2; exit 2 ;; esac
