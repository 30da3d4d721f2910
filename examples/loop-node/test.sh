#!/usr/bin/env bash
# The types of the loop that is driven by hand in Node, and the loop at go-server, at a server that means harm and at none: answered,
# parked, killed and resumed, by loop-go too.
# needs: go node npm
# seconds: 15
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  ../../hosts/js/setup.sh
  ../../hosts/js/npm-install.sh "$PWD"
  go mod download
}
run() {
  npm --silent run check
  PARLEY_EXAMPLES_NODE=node go test -count=1 .
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
