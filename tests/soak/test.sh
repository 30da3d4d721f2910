#!/usr/bin/env bash
# The Go host under load, over a bad network, and with calls that end early: see doc.go.
# needs: go minutes
# seconds: 50
set -euo pipefail
cd "$(dirname "$0")"
setup() { go mod download; }
run() { go test .; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
