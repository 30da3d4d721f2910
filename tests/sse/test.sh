#!/usr/bin/env bash
# The Go host reads event streams as an implementation does that we did not write.
# needs: go
# seconds: 1
set -euo pipefail
cd "$(dirname "$0")"
setup() { go mod download; }
run() { go test .; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
