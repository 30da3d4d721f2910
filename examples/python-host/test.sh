#!/usr/bin/env bash
# The agent in LangGraph is killed while a person is asked, and goes on in another process; and what becomes of a call without Parley.
# needs: go python
# seconds: 20
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  ../python-server/setup.sh >/dev/null || exit 77
  go mod download
}
run() {
  python=$(../python-server/setup.sh)
  "$python" -B -m pytest -q -p no:cacheprovider -W error .
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
