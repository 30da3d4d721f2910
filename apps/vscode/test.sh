#!/usr/bin/env bash
# The extension, as a person uses it, in VS Code: in its Node extension host and in the web worker one.
# needs: go node npm vscode chromium redis
# seconds: 350
set -euo pipefail
cd "$(dirname "$0")"

setup() { test/setup.sh; }

run() {
  npm --silent run check
  ../../hosts/js/node-tests.sh .
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
