#!/usr/bin/env bash
# Parley for Python: its code, its types and its package, on the system's Python and on the oldest and the newest of 3.10 to 3.13
# that pyenv has. Usage: test.sh [setup | run [pytest's arguments]]
# needs: go node npm python redis
# seconds: 60
set -euo pipefail
cd "$(dirname "$0")"

environment() { ../../examples/python-server/setup.sh "$@" || exit 77; }

# The oldest and the newest Python beside the system's, if there are any.
others() {
  local found
  found=$(ls -d ~/.pyenv/versions/3.1[0-3].*/bin/python 2>/dev/null | sort -V) || true
  printf '%s\n' "$found" | sed -n '1p;$p' | sort -u
}

# The wheels that an installation without an index takes.
wheelhouse() {
  local python=$1 names wanted house
  names='pynacl|cffi|pycparser|wasmtime|httpx2|httpcore2|h11|truststore|anyio|idna|exceptiongroup|typing-extensions'
  wanted=$(awk "/^[a-zA-Z]/ { on = /^($names)==/ } on" ../../examples/python-server/requirements.txt)
  house=$(dirname "$(dirname "$(dirname "$python")")")/python-wheelhouse-$(sha256sum <<<"$wanted" | cut -c1-8)
  if ! [ -e "$house/ready" ]; then
    mkdir -p "$house"
    echo "$wanted" >"$house/requirements.txt"
    "$(bare "$python")" -m pip download --quiet --disable-pip-version-check --require-hashes --only-binary :all: --no-deps \
      -r "$house/requirements.txt" -d "$house" >&2
    touch "$house/ready"
  fi
  echo "$house"
}

# The environment with pip under one of setup.sh.
bare() { echo "${1%-*}/bin/python"; }

setup() {
  local python
  ../../internal/testkit/backends/setup.sh redis
  python=$(environment)
  environment tools.txt >/dev/null
  wheelhouse "$python" >/dev/null
  for other in $(others); do PYTHON=$other environment >/dev/null; done
  for name in gosdk ts python-legacy; do ../../tests/interop/run.sh setup "$name"; done
  ../js/npm-install.sh "$PWD/../../tests/signin"
}

run() {
  local python tools house other work mark
  python=$(environment)
  tools=$(bare "$(environment tools.txt)")
  house=$(wheelhouse "$python")
  "$tools" -m ruff check --quiet .
  "$tools" -m ruff format --quiet --check .
  "$tools" -m mypy --python-executable "$python"
  if "$tools" -m pyright --version >/dev/null 2>&1; then
    "$tools" -m pyright --pythonpath "$python"
  else
    echo "pyright is left out: npm has no copy of it for us"
  fi

  work=$(mktemp -d)
  trap "rm -rf '$work'" EXIT
  "$tools" -m build --no-isolation --outdir "$work/dist" . >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  "$tools" -m twine check --strict "$work"/dist/*
  # The same comes of a fresh clone, where nobody has made links, without an sdist between.
  mkdir -p "$work/clone/hosts/python" "$work/clone/hosts/go/store/redis"
  cp -r src README.md LICENSE pyproject.toml hatch_build.py "$work/clone/hosts/python/"
  find "$work/clone" -type l -delete
  cp -r ../../wasm "$work/clone/"
  cp -r ../go/store/redis/scripts "$work/clone/hosts/go/store/redis/"
  "$tools" -m build --no-isolation --wheel --outdir "$work/direct" "$work/clone/hosts/python" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  cmp "$work"/dist/*.whl "$work"/direct/*.whl
  "$(bare "$python")" -m venv --without-pip "$work/empty"
  for package in "$work"/dist/*.whl; do
    "$(bare "$python")" -m pip --python "$work/empty/bin/python" install --quiet --disable-pip-version-check --no-index --find-links "$house" "$package[host]"
  done
  mark=$PWD/../go/store/redis/scripts/mark.lua
  (cd "$work" && PARLEY_CACHE_DIR='' empty/bin/python -c '
import asyncio, sys
from importlib.resources import files
from parley_mrtr.codec import CONTEXT_SDK, Codec, new_key
from parley_mrtr.host import Requests, connect
codec = Codec(new_key())
assert codec.open(codec.seal(b"state", CONTEXT_SDK), CONTEXT_SDK) == b"state"
assert files("parley_mrtr.codec").joinpath("mark.lua").read_bytes() == open(sys.argv[1], "rb").read()
async def send(request):
    return b"""{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Hello"}]}}"""
async def call():
    async with connect(Requests(send)) as session:
        assert (await session.call_tool("greet")).text == "Hello"
asyncio.run(call())' "$mark")

  "$python" -B -m pytest "$@"
  for other in $(others); do
    other=$(PYTHON=$other environment)
    "$other" --version
    # The engine, and what other processes make of it, are the same under each.
    "$other" -B -m pytest tests/codec tests/server "$@"
  done
}

case ${1:-} in setup) setup ;; run) run "${@:2}" ;; "") setup; run ;; *) echo "usage: test.sh [setup | run [pytest's arguments]]" >&2; exit 2 ;; esac
