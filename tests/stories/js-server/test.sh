#!/usr/bin/env bash
# The story server on the TypeScript SDK: rounds begun on the Go server are finished on it, and back.
# needs: go node npm
# seconds: 8
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../../hosts/js/setup.sh
  ../../../hosts/js/npm-install.sh .
  go mod download
}

run() {
  npm --silent run check
  ../../../hosts/js/node-tests.sh .
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
