#!/usr/bin/env bash
# Installs what the tests of the page need, and builds what they run against.
# Quick when nothing is missing. Where a browser cannot be installed it says what
# to do, and exits with 77. Usage: test/setup.sh [chromium|firefox|webkit]...
set -euo pipefail
cd "$(dirname "$0")/.."
skip=77

[ $# -gt 0 ] || set -- chromium
packages=()
for browser; do
  case $browser in
    chromium) command -v chromium >/dev/null || packages+=(chromium) ;;
    firefox) command -v firefox-esr >/dev/null || packages+=(firefox-esr) ;;
    webkit) command -v WebKitWebDriver >/dev/null && command -v Xvfb >/dev/null || packages+=(webkit2gtk-driver xvfb) ;;
    *) echo "setup.sh: there is no $browser: give some of chromium, firefox, webkit" >&2 && exit 2 ;;
  esac
done
if [ ${#packages[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
    { echo "setup.sh: install ${packages[*]}; as root, on Debian, this script does it" >&2 && exit "$skip"; }
  echo "page: installing Debian packages ${packages[*]}"
  apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600)
  install=("${apt[@]}" install --yes --no-install-recommends "${packages[@]}")
  # Package lists that are missing or out of date are the usual reason to fail.
  "${install[@]}" >/dev/null 2>&1 || { "${apt[@]}" update && "${install[@]}" >/dev/null; } ||
    { echo "page: apt-get install ${packages[*]} failed" >&2 && exit "$skip"; }
fi

../../hosts/js/setup.sh
../../hosts/js/npm-install.sh .
../../hosts/js/npm-install.sh ../../tests/stories/js-server
../../hosts/js/npm-install.sh ../../tests/signin
go build -o test/.built/ ../../tests/stories/go-server ../../internal/verdicts/serve
