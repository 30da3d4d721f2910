#!/usr/bin/env bash
# Instances on one store, real processes: three in Go on PostgreSQL, and on Redis two in JavaScript beside them. Calls parked by one
# are answered at another and finished by a third, while instances and the store are killed at moments that a seed chooses. What the
# server and the instances wrote down is held against what is promised. FLEET=1000 runs as many schedules, and
# FLEET_SEED=N one of them again.
# needs: go node npm redis postgresql
# seconds: 60
set -euo pipefail
cd "$(dirname "$0")"
setup() {
  ../../internal/testkit/backends/setup.sh redis postgres
  ../../hosts/js/setup.sh
  ../../hosts/js/npm-install.sh "$PWD/../../hosts/js/redis"
  go mod download
}
run() { go test -count=1 -timeout 0 .; }
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
