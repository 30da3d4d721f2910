#!/usr/bin/env bash
# apps/parley-bridge between other people's clients and servers: official SDKs in
# four languages, of one era each, make every call of tests/interop; the TypeScript
# SDKs what that table cannot tell, and sign in at tests/signin; a person at VS Code
# its own MCP client.
# needs: go node npm python cargo vscode
# seconds: 120
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../apps/vscode/test/setup.sh editor
  ../../hosts/js/npm-install.sh "$PWD"
  ../../hosts/js/npm-install.sh "$PWD/../signin"
  go build -o .built/ ../../apps/parley-bridge ../../apps/parley ../stories/go-server
  flock ../signin go build -o ../signin/.built/ ../signin/gosdk # in which others build, too
  for name in gosdk ts ts-legacy python rust; do ../interop/run.sh setup "$name"; done
}

run() {
  npm --silent run check
  go test -count=1 -timeout 60m . # the cache does not see the programs
  ../../hosts/js/node-tests.sh "$PWD"
  ../../hosts/js/node-tests.sh "$PWD" test:vscode
}

case ${1:-} in
  setup) setup ;;
  run) run ;;
  "") setup; run ;;
  *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;;
esac
