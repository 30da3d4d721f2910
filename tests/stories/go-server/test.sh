#!/usr/bin/env bash
# The story server in Go, which most proofs call: its stories and tasks, by the SDK's client and Parley's.
# needs: go
# seconds: 8
set -euo pipefail
cd "$(dirname "$0")"

setup() { go mod download; }

run() { go test -timeout 30m ./...; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
