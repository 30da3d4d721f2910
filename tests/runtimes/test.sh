#!/usr/bin/env bash
# The README's programs, from the package as npm publishes it, in Node 24, Bun, Deno and workerd.
# needs: go node npm
# seconds: 10
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../hosts/js/setup.sh
  ../../hosts/js/npm-install.sh "$PWD"
  rm -rf .built && mkdir -p .built/project
  npm pack ../../hosts/js --ignore-scripts --pack-destination .built --loglevel=error >/dev/null
  echo '{"type":"module","private":true,"dependencies":{"@parley-mcp/parley":"*"}}' >.built/project/package.json
  (cd .built/project && npm install --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error ../*.tgz >/dev/null)
  go build -o .built/go-server ../stories/go-server
}

run() {
  npm --silent run check
  ../../hosts/js/node-tests.sh "$PWD"
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
