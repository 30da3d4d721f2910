#!/usr/bin/env bash
# The chat's types, and the chat as a person uses it in Chromium: forms, a sign-in, a reload and a closed tab.
# needs: go node npm chromium
# seconds: 15
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../apps/page/test/setup.sh chromium
  ../../hosts/js/npm-install.sh ../../tests/chat-hosts
  ../../hosts/js/npm-install.sh "$PWD"
}

run() {
  npm --silent run check
  npm --silent run build >/dev/null
  ../../hosts/js/node-tests.sh "$PWD"
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
