#!/usr/bin/env bash
# Installs what the tests of the page need, and builds what they run against.
# Quick when nothing is missing. Two at once: one builds, one waits. Where a browser cannot be installed it says what
# to do, and exits with 77. Usage: test/setup.sh [chromium|firefox|webkit]...
set -euo pipefail
cd "$(dirname "$0")/.."
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
[ ${#packages[@]} = 0 ] || ../../internal/testkit/debian/install.sh "${packages[@]}"

../../hosts/js/setup.sh
../../hosts/js/npm-install.sh .
../../hosts/js/npm-install.sh ../../tests/stories/js-server
../../hosts/js/npm-install.sh ../../tests/signin
exec 9<package.json
! command -v flock >/dev/null || flock 9
go build -o test/.built/ ../../tests/stories/go-server ../../internal/testkit/failures/serve
