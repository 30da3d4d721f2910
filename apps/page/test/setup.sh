#!/usr/bin/env bash
# Installs what the tests of the page need, and builds what they run against.
# Quick when nothing is missing. Usage: test/setup.sh [chromium|firefox|webkit]...
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
if [ ${#packages[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
    { echo "setup.sh: install ${packages[*]}; as root, on Debian, this script does it" >&2 && exit 1; }
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi

# npm leaves a copy of the lock file behind: what it has installed.
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-fund --no-audit
js=../../hosts/js
for folder in $js ../js-server; do
  [ -d $folder/node_modules ] || (cd $folder && npm ci --no-fund --no-audit)
done
if [ ! -e $js/dist/browser.js ] || [ -n "$(find $js/src ../../wasm/parley.wasm ../../wasm/parley-session.wasm -newer $js/dist/browser.js)" ]; then
  node $js/build.mjs
fi
go build -o test/.built/ ../go-server
