#!/usr/bin/env bash
# What go vet says of all Go code, of the library with the versions that its users get.
# needs: go
# seconds: 30
set -euo pipefail
cd "$(dirname "$0")/../.."
setup() { go mod download; }
run() {
  GOWORK=off go vet ./...
  go vet ./apps/... ./examples/... ./tests/...
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
