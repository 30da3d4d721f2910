#!/usr/bin/env bash
# Published servers, and small ones on FastMCP and the SDKs of four languages, as their users use them: by apps/parley and the
# Go host. Once it is set up nothing leaves this machine.
# needs: go node npm python cargo git
# seconds: 150
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../hosts/js/npm-install.sh "$PWD/npm"
  for name in requirements sdk1; do ../../examples/python-server/setup.sh "python/$name.txt" >/dev/null || exit 77; done
  ../interop/run.sh setup rust || [ $? = 77 ] # the test says what that leaves out
  go mod download
}

# Not from Go's cache, which does not see the servers. Much of the time is waiting: three at once keep two processors busy.
run() { go test -count=1 -timeout 30m -parallel 3 .; }

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
