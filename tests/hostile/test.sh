#!/usr/bin/env bash
# Sessions that go as badly as they can, on the driver of JavaScript in Node; Go's are tests of hosts/go, Python's have
# a folder here. test.sh run -sessions 200000 plays as many.
# needs: go node npm minutes
# seconds: 25
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../hosts/js/setup.sh
  go mod download
}

# Not from Go's cache, which does not see the driver.
run() { go test -count=1 -timeout 60m -run JavaScript . "$@"; }

case ${1:-} in setup) setup ;; run) run "${@:2}" ;; "") setup; run ;; *) echo "usage: test.sh [setup | run [flags of the test]]" >&2; exit 2 ;; esac
