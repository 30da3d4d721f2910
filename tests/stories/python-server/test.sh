#!/usr/bin/env bash
# Runs the tests, with pytest's arguments. Exits with 77 where the environment cannot be had.
set -euo pipefail
cd "$(dirname "$0")"
python=$(./setup.sh) || exit 77
exec "$python" -m pytest "$@"
