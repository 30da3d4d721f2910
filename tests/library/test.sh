#!/usr/bin/env bash
# The library's own tests. Users have the versions in go.mod, not the workspace's.
# needs: go
# seconds: 100
set -euo pipefail
cd "$(dirname "$0")/../.."
export GOWORK=off
setup() { go mod download; }
run() { go test ./...; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
