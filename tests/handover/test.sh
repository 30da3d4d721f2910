#!/usr/bin/env bash
# One call that goes from a browser to VS Code, to Python and to the terminal, from file to file.
# needs: go node npm chromium vscode python
# seconds: 15
set -euo pipefail
cd "$(dirname "$0")"
root=../..

setup() {
  $root/apps/vscode/test/setup.sh
  $root/examples/extism-python/setup.sh >/dev/null
  go build -o .built/ $root/apps/parley
}

run() {
  local python
  python=$($root/examples/extism-python/setup.sh)
  PYTHON=$python TERMINAL=$PWD/.built/parley $root/hosts/js/node-tests.sh .
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
