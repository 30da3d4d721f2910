#!/usr/bin/env bash
# The built bridge between scripted peers of both eras, byte for byte; its command
# line. tests/bridge has other people's clients and servers.
# needs: go
# seconds: 6
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  go mod download
  # Outside of CI the test with curl is skipped where there is none.
  [ "${CI:-}" != true ] || command -v curl >/dev/null || ../../internal/testkit/debian/install.sh curl
}

run() {
  go test -count=1 -timeout 30m ./... # the cache does not see the program
}

case ${1:-} in
  setup) setup ;;
  run) run ;;
  "") setup; run ;;
  *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;;
esac
