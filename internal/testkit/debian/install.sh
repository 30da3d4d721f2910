#!/usr/bin/env bash
# Installs Debian packages, as root or by sudo. Two at once: one installs, one waits. Where they cannot be installed
# it says what to do, and exits with 77. Usage: install.sh PACKAGE...
set -euo pipefail

cannot() {
  echo "debian: $*" >&2
  exit 77
}

command -v apt-get >/dev/null || cannot "there is no apt-get to install $* with: put on the PATH what these packages hold"
as_root=()
if [ "$(id -u)" != 0 ]; then
  as_root=(sudo -n)
  sudo -n true 2>/dev/null || cannot "packages are missing. Run as root: apt-get install $*"
fi
# apt-get waits for dpkg's lock, but not for that of the package lists.
exec 9</var/lib/dpkg
flock 9
echo "debian: installing $*" >&2
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600 "$@" 9>&-; }
install() { apt install --yes --no-install-recommends -o Dpkg::Options::=--force-confold "$@"; }
# Package lists that are missing or out of date are the usual reason to fail.
install "$@" >/dev/null 2>&1 || { apt update && install "$@"; } >&2 || cannot "apt-get install $* failed"
