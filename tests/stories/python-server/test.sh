#!/usr/bin/env bash
# The servers on the SDK for Python, alone and in one fleet with those in Go and JavaScript.
# Usage: test.sh [setup | run [pytest's arguments]]
# needs: go node npm python
# seconds: 10
set -euo pipefail
cd "$(dirname "$0")"

python() { ../../../examples/python-server/setup.sh || exit 77; }

setup() {
  python >/dev/null
  ../../../hosts/js/setup.sh
  ../../../hosts/js/npm-install.sh ../js-server
  go mod download
}

run() {
  local python
  python=$(python)
  "$python" -m pytest "$@"
}

case ${1:-} in setup) setup ;; run) run "${@:2}" ;; "") setup; run ;; *) echo "usage: test.sh [setup | run [pytest's arguments]]" >&2; exit 2 ;; esac
