#!/usr/bin/env bash
# The npm package in Node: the engine's scripts and the codec's vectors, calls at servers of the official SDKs, and the
# package as npm installs it, with every snippet of its README.
# needs: go node npm
# seconds: 30
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ./setup.sh
  go mod download
}

run() { ./node-tests.sh .; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
