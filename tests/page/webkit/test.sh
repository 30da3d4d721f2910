#!/usr/bin/env bash
# The page (apps/page), as a person uses it, in WebKitGTK.
# needs: go node npm webkit
# seconds: 160
set -euo pipefail
cd "$(dirname "$0")/../../../apps/page"

setup() { test/setup.sh webkit; }

run() { BROWSER=webkit ../../hosts/js/node-tests.sh .; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
