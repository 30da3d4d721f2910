#!/usr/bin/env bash
# The host as a person uses it, at go-server, at a server that means harm and at none.
# needs: go
# seconds: 5
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  go mod download
}
run() { go test -count=1 .; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
