# shellcheck shell=bash
# Pins and paths of the toolchain, sourced by every script of this folder.

go_pin=1.26.8 # TinyGo compiles this Go's standard library, so it decides bytes

# LLVM is linked into TinyGo; wasi-libc and clang-rt give the guest memcpy, fmod
# and 64-bit division. Their code ends up in the artifacts: pins, not just needs.
debian_packages=(llvm-19-dev libclang-19-dev clang-19 lld-19 libclang-rt-19-dev-wasm32 wasi-libc)

toolchain=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo=$(cd "$toolchain/../.." && pwd)
cache=$(realpath -m "${PARLEY_CACHE:-$repo/.cache}")

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# version_of prints a Debian package's upstream version, nothing if it is not
# installed. A rebuild by Debian (the part after the last dash) is no new version.
version_of() {
  dpkg-query -W -f '${db:Status-Abbrev} ${Version}\n' "$1" 2>/dev/null |
    sed -nE '1s/^.i +([0-9]+:)?(.*)-[^-]*$/\2/p'
}

# Nothing of the caller's Go settings may reach the artifacts.
unset GOOS GOARCH GOARM GOEXPERIMENT GOROOT
export GOWORK=off GOFLAGS=-buildvcs=false GOTOOLCHAIN=local
[ "$(cd / && go env GOVERSION)" = "go$go_pin" ] || GOTOOLCHAIN=go$go_pin

# A changed pin or another LLVM gets its own directory: no stale tool, and going
# back to an earlier commit rebuilds nothing.
pins=$(
  cat "$toolchain"/{go.mod,go.sum,setup.sh,targets/*,runtime/*}
  for package in "${debian_packages[@]}"; do version_of "$package"; done
  echo "$go_pin"
)
# shellcheck disable=SC2034 # for the scripts that source this
tools=$cache/toolchain-$(sha256sum <<<"$pins" | cut -c1-12)
