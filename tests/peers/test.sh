#!/usr/bin/env bash
# The benchmarks beside PASETO, age and the official Go SDK run. bench.sh prints their figures.
# needs: go
# seconds: 5
set -euo pipefail
cd "$(dirname "$0")"
setup() { go test -run '^$' . >/dev/null; }
run() { go test -bench . -benchtime 1x . >/dev/null; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
