#!/usr/bin/env bash
# The loop that is driven by hand in Go, at go-server, at a server that means harm and at none: answered, parked, killed and resumed.
# needs: go
# seconds: 10
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  go mod download
}
run() { go test -count=1 .; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
