#!/usr/bin/env bash
# Builds the program and prints its path. Quick when it was done before; the first time wasmtime takes minutes. Exits with 77
# where there is no Rust that can.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=$(realpath -m "${PARLEY_CACHE:-$here/../../.cache}")

version=$(cargo --version 2>/dev/null) && [[ $version =~ ^cargo\ 1\.([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge 92 ] || {
  echo "setup: there is no cargo of Rust 1.92 or later on PATH (https://www.rust-lang.org/tools/install)" >&2
  exit 77
}
mkdir -p "$cache"
echo '*' >"$cache/.gitignore"
CARGO_TARGET_DIR=$cache/extism-rust cargo build --quiet --locked --manifest-path "$here/Cargo.toml" >&2
echo "$cache/extism-rust/debug/extism-rust"
