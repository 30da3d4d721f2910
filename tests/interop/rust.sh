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
echo "rust: installing the Debian packages cargo-web and rustc-web" >&2
apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
install=("${apt[@]}" install --yes --no-install-recommends cargo-web rustc-web)
# Package lists that are missing or out of date are the usual reason to fail: fetch them only then.
"${install[@]}" >/dev/null 2>&1 || { "${apt[@]}" update && "${install[@]}"; } >&2 ||
  unavailable "apt-get install cargo-web rustc-web failed"
is_recent "$1" || unavailable "Debian's cargo-web is older than Rust 1.$1"
