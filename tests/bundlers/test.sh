#!/usr/bin/env bash
# The package as npm publishes it, in projects of Vite, webpack, esbuild and Next.js that configure nothing: each page
# makes a call in Chromium, and so do workers and servers.
# needs: go node npm chromium
# seconds: 90
set -euo pipefail
cd "$(dirname "$0")"

setup() {
  ../../apps/page/test/setup.sh chromium
  ../../hosts/js/npm-install.sh "$PWD"
  pack
  local project
  for project in vite webpack esbuild next; do
    ../../hosts/js/npm-install.sh "$PWD/$project"
    (cd $project && install_packed)
  done
}

pack() {
  rm -rf .built && mkdir .built
  npm pack ../../hosts/js --ignore-scripts --pack-destination .built --loglevel=error >/dev/null
}

# Quick when it is there.
install_packed() {
  local packed
  packed=$(echo ../.built/*.tgz)
  ! cmp -s "$packed" node_modules/.packed || return 0
  rm -rf node_modules/@parley-mcp
  npm install --no-save --no-package-lock --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error "$packed" >/dev/null
  cp "$packed" node_modules/.packed
}

run() {
  npm --silent run check
  ../../hosts/js/node-tests.sh "$PWD"
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
