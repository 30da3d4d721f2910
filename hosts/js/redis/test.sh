#!/usr/bin/env bash
# The package's stores at real Redis servers, over the packages redis and ioredis, with a program in Go at the same store; memory and
# IndexedDB pass the same tests.
# needs: go node npm redis
# seconds: 40
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../setup.sh
  ../npm-install.sh "$PWD"
  ../npm-install.sh "$PWD/../../../examples/js-server"
  ../../../internal/testkit/backends/setup.sh redis
  go mod download
}

run() { ../node-tests.sh .; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
