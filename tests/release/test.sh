#!/usr/bin/env bash
# A release is rehearsed: install lines and a user's module, from a module proxy of files, and before it a clone.
# needs: go minutes
# seconds: 40
set -euo pipefail
cd "$(dirname "$0")"
setup() { go mod download -C ..; go mod download -C ../../apps; }
run() { go test -count=1 .; } # the cache does not see what goes into the archives
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
