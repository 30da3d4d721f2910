#!/usr/bin/env bash
# The host's types, and the host as a person uses it, at go-server, js-server, a server that means harm and none.
# needs: go node npm
# seconds: 10
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  ../../hosts/js/setup.sh
  ../../hosts/js/npm-install.sh "$PWD"
  ../../hosts/js/npm-install.sh "$PWD/../js-server"
  go mod download
}
run() {
  npm --silent run check
  PARLEY_EXAMPLES_NODE=node go test -count=1 .
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
