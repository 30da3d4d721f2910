#!/usr/bin/env bash
# The official conformance suite's scenarios about rounds, at the story server.
# needs: go node npm conformance
# seconds: 10
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  . ../client/suite.sh
  install
  find_node
  go build -o /dev/null ../../stories/go-server # into Go's cache
}

run() { ./run.sh; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
