#!/usr/bin/env bash
# What the page and the VS Code extension share, without either: its types and its rules.
# needs: go node npm
# seconds: 5
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../hosts/js/setup.sh
  ../../hosts/js/npm-install.sh ../page # the compiler
}

run() {
  ../page/node_modules/.bin/tsc -p .
  ../../hosts/js/node-tests.sh .
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
