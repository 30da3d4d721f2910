#!/usr/bin/env bash
# The built helper, as an editor sees it: questions of every kind, parked calls,
# kill -9, hostile messages. nvim and emacs beside this have parts of their own.
# needs: go
# seconds: 6
set -euo pipefail
cd "$(dirname "$0")"

setup() { go mod download; }

run() {
  go test -count=1 -timeout 30m . # the cache does not see the programs
}

case ${1:-} in
  setup) setup ;;
  run) run ;;
  "") setup; run ;;
  *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;;
esac
