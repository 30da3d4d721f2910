#!/usr/bin/env bash
# Installs what wasm.sh needs: LLVM 19 and wasi-libc from Debian, and TinyGo built
# from the module pinned in go.mod.
set -euo pipefail
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

missing_packages() {
  local package
  for package in "${debian_packages[@]}"; do
    [ -n "$(version_of "$package")" ] || printf '%s ' "$package"
  done
}

# An installed TinyGo serves if it is the pinned version on the very same Go and
# LLVM. Official releases carry an LLVM of their own, which gives other bytes.
install_tinygo() {
  local version want
  version=$(cd "$toolchain" && go list -m -f '{{.Version}}' github.com/tinygo-org/tinygo)
  want="tinygo version ${version#v} linux/amd64 (using go version go$go_pin and LLVM version $(version_of llvm-19-dev | sed 's/[~+].*//'))"
  if command -v tinygo >/dev/null && [ "$(tinygo version 2>/dev/null)" = "$want" ]; then
    echo "setup: using the TinyGo $version that is installed"
    ln -s "$(command -v tinygo)" "$tools/bin/tinygo"
    return
  fi
  echo "setup: building TinyGo $version (compiles the guests)"
  # clang is the one C++ compiler known to be here.
  (cd "$toolchain" && CGO_ENABLED=1 CC=clang-19 CXX=clang++-19 \
    go build -trimpath -tags llvm19 -o "$tools/bin/tinygo" github.com/tinygo-org/tinygo)
}

# TinyGo looks for its library in TINYGOROOT. The module lacks the git
# submodules (src/net, lib/*), none of which we need; src/ is a copy because
# TinyGo takes symlinked directories for files. Targets are ours only, here
# because "inherits" looks them up by name in this place.
make_tinygoroot() {
  local module root=$tools/root
  module=$(cd "$toolchain" && go list -m -f '{{.Dir}}' github.com/tinygo-org/tinygo)
  mkdir -p "$root/lib/parley"
  cp -r "$module/src" "$root/src"
  chmod -R u+w "$root/src"
  mkdir -p "$root/src/net"
  collect_between_calls "$root/src/runtime"
  # No C code of ours asks for these, and what is exported is never dropped.
  sed -i '/^\/\/export f\(min\|max\)imumf\?$/d' "$root/src/runtime/float.go"
  cp -r "$toolchain/targets" "$root/targets"
  ln -s /usr/lib/wasm32-wasi/libc.a "$root/lib/parley/"
  ln -s "$(clang-19 -print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a" "$root/lib/parley/"
}

# Puts TinyGo's precise collector where its leaking one was, and lets it run
# between calls only: see runtime/gc_between_calls.go.
collect_between_calls() {
  rm "$1/gc_leaking.go"
  cp "$toolchain/runtime/gc_between_calls.go" "$1/"
  sed -i '1s|^//go:build gc.conservative .. gc.precise$|//go:build gc.leaking|' "$1/gc_blocks.go"
  sed -i '1s|^//go:build gc.precise$|//go:build gc.leaking|' "$1/gc_precise.go"
  sed -i 's/^\t\tif !ranGC {$/\t\tif !ranGC \&\& !onlyBetweenCalls {/' "$1/gc_blocks.go"
  [ "$(grep -c 'onlyBetweenCalls\|^//go:build gc.leaking$' "$1/gc_blocks.go" "$1/gc_precise.go" | cut -d: -f2 | tr '\n' ' ')" = "2 1 " ] ||
    die "TinyGo's runtime is not the one that collect_between_calls knows"
}

need=$(missing_packages)
if [ -n "$need" ]; then
  echo "setup: LLVM and the C library TinyGo links guests with"
  # shellcheck disable=SC2086 # a list
  "$repo/internal/testkit/debian/install.sh" $need || die "Debian packages are missing, see above"
  [ -z "$(missing_packages)" ] || die "apt-get ran, but these packages are still missing: $(missing_packages)"
  exec "$0" # the packages' versions are part of the cache's key
fi
[ -e "$tools/ready" ] && exit 0

mkdir -p "$cache"
echo '*' >"$cache/.gitignore"
exec 9>"$cache/lock" # two builds at once: one installs, one waits
flock 9
[ -e "$tools/ready" ] && exit 0
rm -rf "$tools"
mkdir -p "$tools/bin"
install_tinygo
make_tinygoroot
touch "$tools/ready"
