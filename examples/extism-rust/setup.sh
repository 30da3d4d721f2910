#!/usr/bin/env bash
# Builds the program and prints its path. Quick when it was done before; the first time wasmtime takes minutes. Exits with 77
# where there is no Rust that can.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=$(realpath -m "${PARLEY_CACHE:-$here/../../.cache}")

"$here/../../tests/interop/rust.sh" 92 || exit
mkdir -p "$cache"
echo '*' >"$cache/.gitignore"
CARGO_TARGET_DIR=$cache/extism-rust cargo build --quiet --locked --manifest-path "$here/Cargo.toml" >&2
echo "$cache/extism-rust/debug/extism-rust"
