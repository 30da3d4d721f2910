#!/usr/bin/env bash
# The npm package's entry for React, in React 18 and 19: rendered on a server, and in Chromium, in StrictMode; its types
# with those of both.
# needs: go node npm chromium
# seconds: 35
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../apps/page/test/setup.sh chromium
  ../../hosts/js/npm-install.sh "$PWD"
  ../../hosts/js/npm-install.sh "$PWD/react-18"
}

run() {
  npm --silent run check
  ../../hosts/js/node-tests.sh "$PWD"
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
