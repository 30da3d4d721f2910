#!/usr/bin/env bash
# Every Go file is as gofmt writes it.
# needs: go
# seconds: 5
set -euo pipefail
cd "$(dirname "$0")/../.."
setup() { :; }
run() {
  local files
  files=$(find . -ignore_readdir_race \( -name node_modules -o -name '.?*' \) -prune -o -name '*.go' -type f -print0 |
    xargs -0 "$(go env GOROOT)/bin/gofmt" -l)
  [ -z "$files" ] || { printf 'run gofmt -w on:\n%s\n' "$files" && exit 1; }
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
