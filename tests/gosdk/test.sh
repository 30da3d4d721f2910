#!/usr/bin/env bash
# Sessions and calls of the Go host against servers on the official Go SDK, of this era and the earlier one, over HTTP,
# stdio and in process, and against the story server.
# needs: go minutes
# seconds: 30
set -euo pipefail
cd "$(dirname "$0")"
setup() { go mod download; }
run() { go test .; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
