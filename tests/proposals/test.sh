#!/usr/bin/env bash
# The example flows of the proposals, word for word, played by the session in Go, in wazero and in Node.
# needs: go node npm
# seconds: 5
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../hosts/js/setup.sh
  go test -count=1 -run '^$' . >/dev/null
}

# Not from Go's cache, which does not see the JavaScript.
run() { go test -count=1 -timeout 30m .; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
