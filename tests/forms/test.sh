#!/usr/bin/env bash
# Servers on the official SDKs of four languages ask with hundreds of types as people write them; Parley's Go host fills the
# forms in, and two validators judge the answers.
# needs: go node npm python cargo
# seconds: 60
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  local name
  ../../hosts/js/npm-install.sh "$PWD/npm"
  for name in python/sdk1.txt ../servers/python/requirements.txt; do ../../examples/python-server/setup.sh "$name" >/dev/null || exit 77; done
  ../interop/run.sh setup rust || [ $? = 77 ] # the test says what that leaves out
  go mod download
}

# Not from Go's cache, which does not see the servers.
run() { go test -count=1 -timeout 30m -parallel 3 .; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
