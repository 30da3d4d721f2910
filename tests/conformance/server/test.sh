#!/usr/bin/env bash
# The official conformance suite's server scenarios, at the story server: those about rounds and tasks, and what else it can.
# needs: go node npm conformance
# seconds: 40
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  . ../client/suite.sh
  install
  find_node
  go mod download
}

run() { ./run.sh; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
