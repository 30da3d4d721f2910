#!/usr/bin/env bash
# Usage: rust.sh MINOR. Sees to it that there is a cargo of Rust 1.MINOR or later on PATH, and exits with 77 where it cannot.
# As root on Debian 12 it installs one: the security archive keeps it current for browsers, under a name of its own.
set -euo pipefail

unavailable() {
  echo "rust: $*" >&2
  exit 77
}

is_recent() {
  local version
  version=$(cargo --version 2>/dev/null) && [[ $version =~ ^cargo\ 1\.([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge "$1" ]
}

if is_recent "$1"; then exit 0; fi
command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] && [ ! -e /usr/bin/cargo ] ||
  unavailable "there is no cargo of Rust 1.$1 or later on PATH (https://www.rust-lang.org/tools/install)"
"$(dirname "$0")/../../internal/testkit/debian/install.sh" cargo-web rustc-web
is_recent "$1" || unavailable "Debian's cargo-web is older than Rust 1.$1"
