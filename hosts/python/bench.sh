#!/usr/bin/env bash
# Times Parley's sealing beside the SDK's own, on the Python that examples/python-server pins.
set -euo pipefail
cd "$(dirname "$0")"
python=$(../../examples/python-server/setup.sh) || exit 77
exec "$python" bench/request_state.py
