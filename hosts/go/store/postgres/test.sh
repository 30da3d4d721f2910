#!/usr/bin/env bash
# The store in PostgreSQL, against a real server that the tests start and stop: killed in the middle of a
# transaction, full, read-only, standing still, of another authority, replaced by its standby, told another time of
# day, and cut off at each byte of a save. The module is tested with the versions that its users get.
# needs: go postgresql
# seconds: 30
set -euo pipefail
cd "$(dirname "$0")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# users runs something in a workspace of this module and the library alone, which
# is needed for as long as the library is not published.
root=$(cd ../../../.. && pwd)
cat >"$work/go.work" <<EOF
go 1.26.0
use (
	$root
	$root/hosts/go/store/postgres
)
replace github.com/parley-mcp/parley v0.1.0 => $root
EOF
users() { GOWORK=$work/go.work "$@"; }

setup() { "$root/internal/testkit/backends/setup.sh" postgres; users go mod download; }

run() {
  users go vet ./...
  for os in windows darwin; do GOOS=$os users go build ./...; done
  users go test -count=1 ./... # the cache does not see the server
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
