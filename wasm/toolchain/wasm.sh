#!/usr/bin/env bash
# Builds every artifact and wasm/manifest.json. The same sources give the same
# bytes in any directory; verify.sh holds us to it.
set -euo pipefail
"$(dirname "$0")/setup.sh" # first: env.sh has the versions of the packages that it installs
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

# One line an artifact: file, package, target (of targets/), build tags (a,b),
# modules it may import from (a,b), and the level. "-" is none. z is the smallest,
# 2 the fastest: see ../../RATIONALE.md. Set PARLEY_OPT to measure another level in all;
# what is committed is built without it.
artifacts=(
  "parley.wasm ./wasm/guest core frames - z"
  "parley-fast.wasm ./wasm/guest core frames - 2"
  "parley-codec.wasm ./wasm/codecguest core - - z"
  "parley-extism.wasm ./wasm/extism core texts extism:host/env,extism:host/user z"
  "testdata/flow.wasm ./wasm/guest core flows,frames - z" # for tests only
  "primitives/testdata/primitives.wasm ./wasm/primitives core - - z" # for tests only
)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# TinyGo keeps its cache of compiled packages under XDG_CACHE_HOME, for several at
# once. A new one each time costs a second or two, and no build depends on the one
# before.
GOCACHE=$(go env GOCACHE)
export GOCACHE XDG_CACHE_HOME=$work/cache TINYGOROOT=$tools/root
export WASMOPT=$toolchain/wasm-opt.sh # none, in truth

# Loops that count in two ways at once are quicker, and longer.
declare -A levels=([z]="-mllvm -disable-lsr")

# build makes the artifact of a line.
build() {
  local file package target tags imports opt raw linker
  read -r file package target tags imports opt <<<"$1"
  opt=${PARLEY_OPT:-$opt} raw=$work/raw/$file
  linker="--Map=$raw/map ${levels[$opt]:-}"
  [ -d "$repo/$package" ] || die "$file: there is no $package to build"
  mkdir -p "$raw" "$(dirname "$work/$file")"
  (cd "$repo" && "$tools/bin/tinygo" build -target "$target" -tags "${tags#-}" \
    -opt="$opt" -no-debug -panic=trap -ldflags="-extldflags='$linker'" -o "$raw/wasm" "$package")
  node "$toolchain/finish.mjs" "$raw/wasm" "$raw/map" "$work/$file" "$imports"
  (cd "$repo" && go run ./internal/testkit/sources/record "$package" "${tags#-}") >"$work/$file.sources"
}

# Two at a time: linking, the longest step, keeps one processor busy.
files=() running=0
for artifact in "${artifacts[@]}"; do
  if [ $running = 2 ]; then wait -n; running=1; fi
  build "$artifact" &
  running=$((running + 1)) files+=("${artifact%% *}")
done
for ((; running > 0; running--)); do wait -n; done

# "tinygo version 0.41.1 linux/amd64 (using go version go1.26.8 and LLVM version 19.1.7)"
read -r _ _ tinygo _ _ _ _ go _ _ _ llvm <<<"$("$tools/bin/tinygo" version)"
node "$toolchain/manifest.mjs" "$work" "${files[@]}" -- \
  "clang-rt=$(version_of libclang-rt-19-dev-wasm32)" "go=${go#go}" "llvm=${llvm%)}" \
  "tinygo=$tinygo" "wasi-libc=$(version_of wasi-libc)"

# Only now: a build that failed leaves the committed files alone.
for file in "${files[@]}" manifest.json; do cp "$work/$file" "$repo/wasm/$file"; done
cat "$repo/wasm/manifest.json"
