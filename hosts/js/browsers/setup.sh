#!/usr/bin/env bash
# Installs what run.mjs and bundlers.mjs need, browsers from Debian and the rest
# from npm, and builds dist/. Quick when nothing is missing. Where browsers cannot
# be installed it says what to do, and exits with 77.
set -euo pipefail
cd "$(dirname "$0")"
skip=77

declare -A package_of=([chromium]=chromium [firefox-esr]=firefox-esr [WebKitWebDriver]=webkit2gtk-driver [Xvfb]=xvfb)

missing_packages() {
  local program
  for program in "${!package_of[@]}"; do
    command -v "$program" >/dev/null || echo "${package_of[$program]}"
  done
}

install_browsers() {
  local as_root=()
  if ! command -v apt-get >/dev/null; then
    echo "browsers: there is no apt-get to install what is missing: put on the PATH ${!package_of[*]}"
    exit "$skip"
  fi
  if [ "$(id -u)" != 0 ]; then
    as_root=(sudo -n)
    sudo -n true 2>/dev/null || { echo "browsers: some are missing. Run as root: apt-get install $*" && exit "$skip"; }
  fi
  echo "browsers: installing Debian packages $*"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600)
  local install=("${apt[@]}" install --yes --no-install-recommends)
  # Package lists that are missing or out of date are the usual reason to fail.
  "${install[@]}" "$@" >/dev/null 2>&1 || { "${apt[@]}" update && "${install[@]}" "$@" >/dev/null; } ||
    { echo "browsers: apt-get install $* failed" && exit "$skip"; }
}

mapfile -t need < <(missing_packages)
[ ${#need[@]} = 0 ] || install_browsers "${need[@]}"
../npm-install.sh .
../setup.sh
