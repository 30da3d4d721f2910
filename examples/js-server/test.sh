#!/usr/bin/env bash
# The server's types, its codec over a key service, the calls that go-server is played too, and go-host at it.
# needs: go node npm
# seconds: 9
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  ../../hosts/js/setup.sh
  ../../hosts/js/npm-install.sh "$PWD"
  go mod download
}
run() {
  npm --silent run check
  ../../hosts/js/node-tests.sh .
  PARLEY_EXAMPLES_NODE=node go test -count=1 .
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
