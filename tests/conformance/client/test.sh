#!/usr/bin/env bash
# The official conformance suite's client scenarios, with Parley's session as the client: in Go and in Node.
# needs: go node npm conformance
# seconds: 100
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../../hosts/js/setup.sh
  . ./suite.sh
  install
  find_node
  go mod download
}

run() {
  ../../../hosts/js/node_modules/.bin/tsc -p .
  ./run.sh
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
