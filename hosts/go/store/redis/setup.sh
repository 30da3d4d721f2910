#!/usr/bin/env bash
# Installs a Redis for tests, and starts none: Debian's package redis-tools has the
# program, under the name redis-check-rdb, without the service of redis-server.
# Quick when nothing is missing. Where it cannot be installed it says what to do,
# and exits with 77.
set -euo pipefail
skip=77

if ! command -v redis-server >/dev/null && ! command -v redis-check-rdb >/dev/null; then
  if ! command -v apt-get >/dev/null; then
    echo "redis: there is no apt-get to install it with: put redis-server on the PATH"
    exit "$skip"
  fi
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    as_root=(sudo -n)
    sudo -n true 2>/dev/null || { echo "redis: it is missing. Run as root: apt-get install redis-tools" && exit "$skip"; }
  fi
  echo "redis: installing the Debian package redis-tools"
  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600)
  install=("${apt[@]}" install --yes --no-install-recommends redis-tools)
  # Package lists that are missing or out of date are the usual reason to fail.
  "${install[@]}" >/dev/null 2>&1 || { "${apt[@]}" update && "${install[@]}" >/dev/null; } ||
    { echo "redis: apt-get install redis-tools failed" && exit "$skip"; }
fi
