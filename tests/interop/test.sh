#!/usr/bin/env bash
# Servers and clients of the official SDKs in Go, TypeScript, Python and Rust, of this era and the earlier one, with
# Parley's on the other side. What one SDK needs and cannot be had here is skipped, and said.
# needs: go node npm python cargo haproxy
# seconds: 230
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  local name
  ../../hosts/js/setup.sh
  ../../hosts/js/npm-install.sh ../stories/js-server
  for name in gosdk ts ts-legacy python python-legacy rust parley-js parley-python haproxy; do
    ./run.sh setup "$name" || [ $? = 77 ]
  done
  go mod download
}

# Not from Go's cache, which does not see the servers.
run() { go test -count=1 -timeout 60m .; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
