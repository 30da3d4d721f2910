#!/usr/bin/env bash
# Installs what the tests in Node need and builds what they run. Quick when
# nothing is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
# npm leaves a copy of the lock file behind: what it has installed.
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-fund --no-audit --loglevel=error
go build -o test/.built/ . ../go-server
../../internal/interop/run.sh setup ts-legacy
