#!/usr/bin/env bash
# The page, as a person uses it, in Chromium: at the story servers, at servers of every era, slow, broken and hostile.
# needs: go node npm chromium
# seconds: 300
set -euo pipefail
cd "$(dirname "$0")"

setup() { test/setup.sh; }

run() {
  npm --silent run check
  ../../hosts/js/node-tests.sh .
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
