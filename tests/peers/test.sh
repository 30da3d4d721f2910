#!/usr/bin/env bash
# Every client and token of the tables works, and what many of a thing cost is in proportion. ./build.sh bench prints the figures.
# needs: go node
# seconds: 15
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  ../../hosts/js/setup.sh
  go mod download
}
run() { go test -count=1 .; } # not from Go's cache, which does not see the package for Node
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
