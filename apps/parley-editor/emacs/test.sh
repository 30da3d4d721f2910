#!/usr/bin/env bash
# A person at a terminal answers the story server in a real Emacs, parks calls and
# kills it; the package compiles without a warning.
# needs: go emacs tmux
# seconds: 20
set -euo pipefail
cd "$(dirname "$0")"

setup() { ../editortest/setup.sh emacs tmux; go mod download; }

run() {
  go test -count=1 -timeout 30m . # the cache does not see Lisp
}

case ${1:-} in
  setup) setup ;;
  run) run ;;
  "") setup; run ;;
  *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;;
esac
