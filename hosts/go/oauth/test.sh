#!/usr/bin/env bash
# Signing in: against an authorization server and a browser of the tests' own, servers that try what they may, and
# several processes with one account. The module is tested with the versions that its users get.
# needs: go
# seconds: 15
set -euo pipefail
cd "$(dirname "$0")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# users runs something in a workspace of this module and the library alone, which
# is needed for as long as the library is not published.
root=$(cd ../../.. && pwd)
cat >"$work/go.work" <<EOF
go 1.26.0
use (
	$root
	$root/hosts/go/oauth
)
replace github.com/parley-mcp/parley v0.1.0 => $root
EOF
users() { GOWORK=$work/go.work "$@"; }

setup() { users go mod download; }

run() {
  users go vet .
  for os in windows darwin; do GOOS=$os users go vet .; done
  users go test .
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
