#!/usr/bin/env bash
# Runs the client of the Python SDK for the table: python/turns.py.
set -euo pipefail
cd "$(dirname "$0")"
python=$(../../examples/python-server/setup.sh)
exec "$python" python/turns.py "$@"
