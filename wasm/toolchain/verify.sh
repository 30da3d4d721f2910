#!/usr/bin/env bash
# Rebuilds every artifact from a copy of the sources in another directory and
# compares it with the committed one, byte for byte.
set -euo pipefail
# shellcheck source=env.sh
. "$(dirname "$0")/env.sh"

[ -f "$repo/wasm/manifest.json" ] || die "wasm/manifest.json is missing: run ./build.sh wasm and commit the result"
"$toolchain/setup.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/some/other/place # its length differs too
mkdir -p "$copy"
# Without what no module is made of, in which other parts of the tests may be building.
tar -C "$repo" --exclude=./{.git,.cache,apps,examples,hosts,tests} -cf - . | tar -C "$copy" -xf -
find "$copy/wasm" -name '*.wasm' -delete
rm "$copy/wasm/manifest.json"
PARLEY_OPT="" PARLEY_CACHE=$cache "$copy/wasm/toolchain/wasm.sh" >/dev/null

failed=
fail() {
  failed=1
  echo "verify: $*"
}

for file in $(find "$repo/wasm" "$copy/wasm" -name '*.wasm' -printf '%P\n' | sort -u); do
  if [ ! -f "$copy/wasm/$file" ]; then
    fail "wasm/$file is committed, but wasm.sh builds no such artifact"
  elif [ ! -f "$repo/wasm/$file" ]; then
    fail "wasm/$file is not committed"
  elif ! cmp -s "$repo/wasm/$file" "$copy/wasm/$file"; then
    fail "wasm/$file differs from what its sources give"
  else
    echo "verify: wasm/$file is what its sources give"
  fi
done

tools_of() { sed -n '/"tools"/,/}/p' "$1" | tr -d ','; }
if ! cmp -s "$repo/wasm/manifest.json" "$copy/wasm/manifest.json"; then
  fail "wasm/manifest.json differs from what the sources give"
  diff --unchanged-line-format= --old-line-format='  committed with %L' --new-line-format='  rebuilt with   %L' \
    <(tools_of "$repo/wasm/manifest.json") <(tools_of "$copy/wasm/manifest.json") || true
fi
[ -z "$failed" ] || die "run ./build.sh wasm with the tools of wasm/manifest.json and commit the result"
