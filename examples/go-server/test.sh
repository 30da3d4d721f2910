#!/usr/bin/env bash
# The server as a program: calls of one and two forms, states that are refused, a restart in the middle of a call.
# needs: go
# seconds: 8
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  go mod download
}
run() { go test -count=1 .; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
