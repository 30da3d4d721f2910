#!/usr/bin/env bash
# The chat's types, and the chat as a person uses it, in Chromium, at js-server.
# needs: go node npm chromium
# seconds: 15
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  ../../apps/page/test/setup.sh chromium
  ../../hosts/js/npm-install.sh "$PWD"
  ../../hosts/js/npm-install.sh "$PWD/../js-server"
}
run() {
  npm --silent run check
  ../../hosts/js/node-tests.sh "$PWD"
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
