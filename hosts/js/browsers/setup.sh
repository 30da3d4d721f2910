#!/usr/bin/env bash
# Installs what run.mjs and bundlers.mjs need, browsers from Debian and the rest
# from npm, and builds dist/. Quick when nothing is missing. Where browsers cannot
# be installed it says what to do, and exits with 77.
set -euo pipefail
cd "$(dirname "$0")"

declare -A package_of=([chromium]=chromium [firefox-esr]=firefox-esr [WebKitWebDriver]=webkit2gtk-driver [Xvfb]=xvfb)

missing_packages() {
  local program
  for program in "${!package_of[@]}"; do
    command -v "$program" >/dev/null || echo "${package_of[$program]}"
  done
}

mapfile -t need < <(missing_packages)
[ ${#need[@]} = 0 ] || ../../../internal/testkit/debian/install.sh "${need[@]}"
../npm-install.sh .
../setup.sh
