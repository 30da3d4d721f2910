#!/usr/bin/env bash
# Builds, tests and shows Parley. See usage below, or ./build.sh --help.
set -euo pipefail
export LC_ALL=C # what is called sorts and prints alike everywhere
cd "$(dirname "$0")"

usage() {
  cat <<'EOF'
Usage: ./build.sh <command> [arguments]

  demo     a real MCP server asks, you answer in the terminal; --script [FILE] answers
           unattended (examples/go-server/answers.json by default), --sign-in protects the
           server, so that you sign in first and once more in the middle; --browser serves a page,
           at a port of your choice with --port N, 0 for a free one (8700)
  test     what Go, Node and npm can test: gofmt, vet, the library, the JavaScript package,
           the apps, the examples and the demo. With names of parts it runs those.
  test all the same and every other part: the race detector, fuzzing, three browsers,
           editors, Python, SDKs of five languages, the official conformance suite, and
           whether the modules are what their sources give. Installs what they need.
  parts    list the parts of the tests, and what each needs
  wasm     build wasm/*.wasm and wasm/manifest.json after a change to the engine or codec
  verify   rebuild wasm/*.wasm elsewhere and compare every byte with the committed files
  setup    install what wasm and verify need: LLVM 19 (Debian packages) and TinyGo
           (in .cache/, or $PARLEY_CACHE). Quick when nothing is missing.
  js       build hosts/js/dist, the npm package
  bench    measure whole calls, with the official SDKs beside them in the same run;
           bench peers adds mcp-go and the SDKs of Python and Rust, which it installs;
           bench growth counts what 1 to 1,000 legs, asks, bytes and calls cost, and fails
           where it is more than in proportion. --json FILE writes the table as JSON, too,
           and --turns N sets how often each row has its turn (31)

Tests run two at a time on two processors (JOBS=n for another number).
A part that cannot run on this machine says why and is SKIP; with CI=true that is an error.

Needs Go 1.26 or later, Node 20 or later and npm.
EOF
}

die() {
  echo "build.sh: $*" >&2
  exit 1
}

check_prerequisites() {
  command -v go >/dev/null || die "there is no go on PATH: install Go 1.26 or later (https://go.dev/dl)"
  local go
  go=$(go env GOVERSION)
  [[ $go =~ ^go1\.([0-9]+) && ${BASH_REMATCH[1]} -ge 26 ]] ||
    die "go is $go: install Go 1.26 or later (https://go.dev/dl)"
  command -v node >/dev/null || die "there is no node on PATH: install Node 20 or later (https://nodejs.org)"
  local node
  node=$(node --version)
  [[ $node =~ ^v([0-9]+) && ${BASH_REMATCH[1]} -ge 20 ]] ||
    die "node is $node: install Node 20 or later (https://nodejs.org)"
  command -v npm >/dev/null || die "there is no npm on PATH: install the one that comes with Node (https://nodejs.org)"
}

cmd_js() { hosts/js/setup.sh; }

cmd_bench() {
  hosts/js/setup.sh
  go run ./tests/peers "$@"
  case ${1:-} in peers | growth) return ;; esac
  echo
  hosts/go/bench.sh
  node hosts/js/bench/waits.js
  hosts/js/browsers/bench.sh || [ $? = 77 ]
  hosts/python/bench.sh || [ $? = 77 ]
}

# tests calls the program that lists the parts of the tests and runs them. It takes this shell's place, so that a signal
# reaches it.
tests() {
  go build -o tests/parts/.built/parts ./tests/parts
  exec tests/parts/.built/parts "$@"
}

cmd_parts() { tests list; }

# Users have the versions in go.mod, not the workspace's.
library() { GOWORK=off go "$@"; }

cmd_test() {
  library run ./internal/testkit/sources/stale || exit 1
  # Part vet looks at everything, and at more: go test need not do it again for each way of building.
  local flags
  flags=$(go env GOFLAGS)
  case ${1:-} in "" | all) export GOFLAGS="$flags -vet=off" ;; esac
  tests test "$@"
}

command=${1:---help}
[ $# -eq 0 ] || shift
case $command in
  setup | wasm | verify) check_prerequisites && exec "wasm/toolchain/$command.sh" "$@" ;;
  test | parts | bench | js) check_prerequisites && "cmd_$command" "$@" ;;
  demo) check_prerequisites && exec examples/demo.sh "$@" ;;
  -h | --help | help) usage ;;
  *) usage >&2 && exit 2 ;;
esac
