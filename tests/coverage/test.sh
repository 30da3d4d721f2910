#!/usr/bin/env bash
# What of MCP is in, per version and host: every cell of the table names a test that exists, or a reason.
# needs: go
# seconds: 2
set -euo pipefail
cd "$(dirname "$0")"
setup() { go mod download -C ..; }
run() { go test -count=1 .; } # the cache does not see the tests that are named
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
