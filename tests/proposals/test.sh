#!/usr/bin/env bash
# The example flows of the proposals, word for word, and those of the C# SDK as of commit fb78b764 (played, not live), by the session in Go,
# in wazero, in Node and in parley; and answers that must not be taken for a success, in every era and dialect.
# needs: go node npm minutes
# seconds: 40
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../hosts/js/setup.sh
  go mod download
}

# Not from Go's cache, which does not see the JavaScript.
run() { go test -count=1 -timeout 30m .; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
