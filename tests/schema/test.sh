#!/usr/bin/env bash
# Forms are valid for package form exactly if they are for a JSON Schema library that we did not write.
# needs: go
# seconds: 2
set -euo pipefail
cd "$(dirname "$0")"
setup() { go mod download; }
run() { go test .; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
