#!/usr/bin/env bash
# Installs this package's npm packages, and builds dist/ if something that goes
# into it is newer. Quick when that is done. Two at once: one builds, one waits.
set -euo pipefail
cd "$(dirname "$0")"
./npm-install.sh "$PWD"
exec 9<package.json
! command -v flock >/dev/null || flock 9
modules=(../../wasm/parley.wasm ../../wasm/parley-fast.wasm ../../wasm/parley-codec.wasm)
stamp=node_modules/.dist-built # not in dist/, which is published
[ -e dist/node.js ] && [ -e $stamp ] &&
  [ -z "$(find src build.mjs build-core.mjs package.json package-lock.json tsconfig.json ../go/store/redis/scripts "${modules[@]}" -newer $stamp)" ] && exit 0
node build.mjs
touch $stamp
