#!/usr/bin/env bash
# Every fuzz target for some seconds, from its committed seeds, by one worker: other parts run beside it. FUZZTIME=1m
# takes longer.
# needs: go minutes
# seconds: 150
set -euo pipefail
cd "$(dirname "$0")/../.."
setup() { go mod download; }

# The targets of a package share a program, which is built as go test -fuzz would.
run() {
  local package target built=""
  program=$(mktemp)
  trap 'rm "$program"' EXIT
  while IFS=: read -r package target; do
    [ "$package" = "$built" ] || build "$package"
    built=$package
    fuzz "$package" "$target"
  done < <(targets)
}

# Lines of ./package:FuzzTarget.
targets() {
  find . -ignore_readdir_race \( -name node_modules -o -name '.?*' \) -prune -o -name '*_test.go' -type f -print | sort |
    xargs -d '\n' grep -HoE '^func Fuzz\w+' | sed -E 's|/[^/]*:func |:|'
}

# Users have the library with the versions in go.mod, not the workspace's.
build() {
  local workspace=off
  case $1 in ./apps/* | ./tests/* | ./hosts/go/oauth | ./hosts/go/store/redis* | ./hosts/go/store/postgres*) workspace="" ;; esac
  GOWORK=$workspace go test -c -fuzz . -o "$program" "$1"
}

# On a busy machine Go's fuzzer sometimes ends with "context deadline exceeded"
# when its time is up, having found nothing: then, and only then, try again.
fuzz() {
  local out
  for _ in 1 2 3; do
    if out=$(cd "$1" && "$program" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "${FUZZTIME:-3s}" -test.fuzzminimizetime 10x \
      -test.fuzzcachedir "$(go env GOCACHE)/fuzz/${1#./}" -test.parallel 1 2>&1) && [[ $out == *"fuzz: elapsed"* ]]; then
      return
    fi
    [[ $out == *"context deadline exceeded"* && $out != *"Failing input"* ]] || break
  done
  printf '%s %s\n%s\n' "$1" "$2" "$out"
  exit 1
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
