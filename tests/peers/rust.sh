#!/usr/bin/env bash
# Builds the client of the Rust SDK and runs it for the table: rust/src/main.rs.
set -euo pipefail
cd "$(dirname "$0")"
../interop/rust.sh 88
target=$(realpath -m "${PARLEY_CACHE:-../../.cache}")/peers-rust
CARGO_TARGET_DIR=$target cargo build --quiet --locked --release --manifest-path rust/Cargo.toml >&2
exec "$target/release/turns" "$@"
