#!/usr/bin/env bash
# The npm package in Chromium, Firefox and WebKitGTK, in page and worker, without WebAssembly, as Vite and esbuild bundle it, and on a
# newer Node.
# needs: go node npm chromium firefox webkit
# seconds: 390
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ./setup.sh
  go mod download
}

run() {
  ../node_modules/.bin/tsc -p .
  node run.mjs
  node sign-in.mjs
  node remote.mjs
  node bundlers.mjs
  PATH=$PWD/node_modules/.bin:$PATH ../node-tests.sh ..
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
