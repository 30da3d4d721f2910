#!/usr/bin/env bash
# The built program, in pseudo-terminals too, against the story server and servers
# of four protocol versions over both transports, killed at times; what README.md
# and the help tell people to type.
# needs: go
# seconds: 30
set -euo pipefail
cd "$(dirname "$0")"

setup() { go mod download; }

run() {
  # Its tests mostly wait, for keys and for lines to show: more of them than cores.
  # The cache does not see the story server.
  go test -count=1 -timeout 30m -parallel 8 ./... ../shared-go/... ../internal/...
}

case ${1:-} in
  setup) setup ;;
  run) run ;;
  "") setup; run ;;
  *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;;
esac
