#!/usr/bin/env bash
# Makes the virtual environment main.py runs in, of requirements.txt, every file checked against its hash, and prints the path
# of its python. Quick when it was done before. Exits with 77 where it cannot be had.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=$(realpath -m "${PARLEY_CACHE:-$here/../../.cache}")

die() {
  printf 'setup: %s\n' "$*" >&2
  exit 77
}

version=$(python3 -c 'import venv, ensurepip, sys; print("%d.%d.%d" % sys.version_info[:3]); sys.exit(sys.version_info < (3, 11))') ||
  die "there is no Python 3.11 with venv on PATH. On Debian run as root: apt-get install python3 python3-venv"

# Other pins or another Python get their own directory: no stale package, and going back installs nothing.
pins=$(cat "$here/requirements.txt" <(echo "$version $(command -v python3)") | sha256sum | cut -c1-12)
environment=$cache/extism-python-$pins
python=$environment/bin/python
[ -e "$environment/ready" ] && echo "$python" && exit 0

mkdir -p "$cache"
echo '*' >"$cache/.gitignore"
exec 9>"$cache/extism-python.lock" # two set-ups at once: one installs, one waits
flock 9
[ -e "$environment/ready" ] && echo "$python" && exit 0
printf 'setup: installing Extism for Python\n' >&2
rm -rf "$environment"
python3 -m venv "$environment" >&2
"$python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r "$here/requirements.txt" >&2 ||
  die "pip could not install requirements.txt"
touch "$environment/ready"
echo "$python"
