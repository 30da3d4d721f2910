#!/usr/bin/env bash
# Makes the virtual environment the servers run in, of requirements.txt, every file checked against its hash, and prints
# the path of its python. Quick when it was done before.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=$(realpath -m "${PARLEY_CACHE:-$here/../../.cache}")

say() { printf 'setup: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# Debian keeps the part of venv that brings pip in a package of its own.
install_venv() {
  local as_root=() apt
  command -v apt-get >/dev/null && [ "$(command -v python3)" = /usr/bin/python3 ] ||
    die "python3 cannot make virtual environments: install its venv and ensurepip modules"
  if [ "$(id -u)" != 0 ]; then
    as_root=(sudo -n)
    sudo -n true 2>/dev/null || die "a Debian package is missing. Run as root: apt-get install python3-venv"
  fi
  say "installing the Debian package python3-venv"
  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
  local install=("${apt[@]}" install --yes --no-install-recommends python3-venv)
  # Package lists that are missing or out of date are the usual reason to fail: fetch them only then.
  "${install[@]}" >/dev/null 2>&1 || { "${apt[@]}" update && "${install[@]}"; } >&2 ||
    die "apt-get install python3-venv failed"
}

command -v python3 >/dev/null ||
  die "there is no python3 on PATH. On Debian run as root: apt-get install python3 python3-venv"
version=$(python3 -c 'import sys; print("%d.%d.%d" % sys.version_info[:3]); sys.exit(sys.version_info < (3, 11))') ||
  die "python3 is ${version:-unknown}: install Python 3.11 or newer"

# Other pins or another Python get their own directory: no stale package, and going back installs nothing.
pins=$(cat "$here/requirements.txt" <(echo "$version $(command -v python3)") | sha256sum | cut -c1-12)
environment=$cache/python-$pins
python=$environment/bin/python
[ -e "$environment/ready" ] && echo "$python" && exit 0

mkdir -p "$cache"
echo '*' >"$cache/.gitignore"
exec 9>"$cache/python.lock" # two set-ups at once: one installs, one waits
flock 9
[ -e "$environment/ready" ] && echo "$python" && exit 0
python3 -c 'import venv, ensurepip' 2>/dev/null || install_venv
say "installing the MCP SDK for Python, wasmtime and pytest"
rm -rf "$environment"
python3 -m venv "$environment" >&2
"$python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
  -r "$here/requirements.txt" >&2
touch "$environment/ready"
echo "$python"
