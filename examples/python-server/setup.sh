#!/usr/bin/env bash
# Makes a virtual environment of a file of requirements, every download checked against its hash, and prints the path of its
# python. Without an argument that is the environment the servers run in. Quick when it was done before. uv installs it, which
# takes a second or two where pip takes minutes on a busy machine; pip does where uv cannot.
# Usage: [PYTHON=python3.12] setup.sh [requirements.txt]
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
requirements=$(realpath "${1:-$here/requirements.txt}")
base=${PYTHON:-python3}
cache=$(realpath -m "${PARLEY_CACHE:-$here/../../.cache}")

say() { printf 'setup: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# Debian keeps the part of venv that brings pip in a package of its own.
install_venv() {
  [ "$(command -v "$base")" = /usr/bin/python3 ] ||
    die "$base cannot make virtual environments: install its venv and ensurepip modules"
  "$here/../../internal/testkit/debian/install.sh" python3-venv || die "a Debian package is missing, see above"
}

command -v "$base" >/dev/null ||
  die "there is no $base on PATH. On Debian run as root: apt-get install python3 python3-venv"
version=$("$base" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3]); sys.exit(sys.version_info < (3, 10))') ||
  die "$base is ${version:-unknown}: install Python 3.10 or newer"

# Other pins or another Python get their own directory: no stale package, and going back installs nothing.
pins=$(cat "$requirements" <(echo "$version $(command -v "$base")") | sha256sum | cut -c1-12)
environment=$cache/python-$pins
python=$environment/bin/python

# A Python that has the environment, and parley_mrtr as it is in this checkout: caches are shared, checkouts are not.
source=$(realpath "$here/../../hosts/python/src")
own=$environment-$(sha256sum <<<"$source" | cut -c1-8)
is_ready() { [ -e "$environment/ready" ] && [ -e "$own/ready" ] && [ -e "$source/parley_mrtr/codec/mark.lua" ] && [ -e "$source/parley_mrtr/host/parley.wasm" ]; }

# What the wheel has from other folders are links here.
make_own() {
  ln -sf ../../../../../wasm/parley.wasm "$source/parley_mrtr/host/"
  ln -sf ../../../../go/store/redis/scripts/mark.lua "$source/parley_mrtr/codec/"
  "$python" -m venv --without-pip "$own" >&2
  "$python" -c 'import site; print(site.getsitepackages()[0])' |
    cat - <(echo "$source") >"$("$own/bin/python" -c 'import site; print(site.getsitepackages()[0])')/parley.pth"
  touch "$own/ready"
}

# Installs uv, once for all environments, and prints its path.
uv() {
  local own
  own=$cache/python-uv-$(sha256sum "$here/uv.txt" | cut -c1-12)
  if ! [ -e "$own/ready" ]; then
    rm -rf "$own"
    "$base" -m venv "$own" >&2 &&
      "$own/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
        -r "$here/uv.txt" >&2 && "$own/bin/uv" --version >/dev/null && touch "$own/ready" || return 1
  fi
  echo "$own/bin/uv"
}

# What another Python than the usual one starts a few times is not worth compiling, and needs no pip.
with_uv() {
  local uv whole=() lean=(--without-pip)
  [ "$base" != python3 ] || whole=(--compile-bytecode) lean=()
  uv=$(uv) && "$base" -m venv "${lean[@]}" "$environment" >&2 &&
    UV_CACHE_DIR=$cache/python-uv "$uv" pip install --quiet --no-config "${whole[@]}" --python "$python" --require-hashes \
      --only-binary :all: -r "$requirements" >&2
}

with_pip() {
  rm -rf "$environment"
  "$base" -m venv "$environment" >&2
  "$python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
    -r "$requirements" >&2
}

is_ready && echo "$own/bin/python" && exit 0

mkdir -p "$cache"
echo '*' >"$cache/.gitignore"
exec 9>"$cache/python.lock" # two set-ups at once: one installs, one waits
flock 9
if ! [ -e "$environment/ready" ]; then
  "$base" -c 'import venv, ensurepip' 2>/dev/null || install_venv
  say "installing $(basename "$(dirname "$requirements")")/$(basename "$requirements") for Python $version"
  rm -rf "$environment"
  with_uv || with_pip
  touch "$environment/ready"
fi
is_ready || make_own
echo "$own/bin/python"
