#!/usr/bin/env bash
# What the library exports is what is recorded.
# needs: go
# seconds: 5
set -euo pipefail
cd "$(dirname "$0")"
setup() { go mod download -C ..; }
run() { go test -count=1 .; } # the cache does not see other packages' sources
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
