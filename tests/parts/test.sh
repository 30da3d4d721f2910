#!/usr/bin/env bash
# The program that runs the parts, with fake ones.
# needs: go
# seconds: 5
set -euo pipefail
cd "$(dirname "$0")"
setup() { go mod download; }
run() { go test .; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
