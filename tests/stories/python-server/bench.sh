#!/usr/bin/env bash
# Times the SDK's own requestState sealing and Parley's in one run. Exits with 77 where the environment cannot be had.
set -euo pipefail
cd "$(dirname "$0")"
python=$(../../../examples/python-server/setup.sh) || exit 77
PYTHONPATH=../../../examples/python-server exec "$python" bench.py "$@"
