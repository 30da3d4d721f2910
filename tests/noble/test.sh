#!/usr/bin/env bash
# Tokens against a second implementation in another language, on other libraries.
# needs: go node npm
# seconds: 5
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  ../../hosts/js/npm-install.sh "$PWD"
  go mod download
}
run() {
  ../../hosts/js/node-tests.sh "$PWD"
  go test -count=1 . # the cache does not see the JavaScript
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
