#!/usr/bin/env bash
# Signing in at oidc-provider with a real browser, before protected servers on the official Go and TypeScript SDKs: the
# plain wire, and the Go library and the JavaScript package as clients. The example servers too, that on the Python SDK
# where there is a Python. In the end nothing of a run holds a secret.
# needs: go node npm chromium
# seconds: 180
set -euo pipefail
cd "$(dirname "$0")"

# Prints nothing where there is no Python that will do: the stories of python-server are left out then.
python() { ../../examples/python-server/setup.sh || true; }

setup() {
  python >/dev/null
  ../../apps/page/test/setup.sh chromium
  ../../hosts/js/npm-install.sh "$PWD"
  ../../hosts/js/npm-install.sh ../../examples/js-server
  flock . go build -o .built/ ./gosdk ./goclient ../../examples/go-server ../../apps/parley
}

run() {
  PARLEY_EXAMPLES_PYTHON=$(python)
  export PARLEY_EXAMPLES_PYTHON
  npm --silent run check
  ../../hosts/js/node-tests.sh "$PWD"
}

case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
