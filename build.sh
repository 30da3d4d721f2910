#!/usr/bin/env bash
# Builds, tests and shows Parley. See usage below, or ./build.sh --help.
set -euo pipefail
export LC_ALL=C # the decimal point of EPOCHREALTIME
cd "$(dirname "$0")"
skip=77

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
  hosts/js/browsers/bench.sh || [ $? = "$skip" ]
  hosts/python/bench.sh || [ $? = "$skip" ]
}

# The demo is the main job: a real MCP server asks, the wasm engine runs the
# loop, a person (or a script) answers in the terminal.
cmd_demo() {
  local file="" scripted=false sign_in=false browser=false port="" extra=() shown=""
  while [ $# -gt 0 ]; do
    case $1 in
      --script)
        scripted=true
        if [[ ${2:---} != --* ]]; then file=$2 && shift; fi
        ;;
      --sign-in) sign_in=true ;;
      --browser) browser=true ;;
      --port) port=${2:-} && [[ $port =~ ^[0-9]+$ ]] || die "demo: --port needs a number, 0 for a free port" && shift ;;
      *) die "demo: unknown argument $1 (usage: ./build.sh demo [--sign-in] [--script [FILE]] | --browser [--port N])" ;;
    esac
    shift
  done
  if $browser; then
    ! $scripted && ! $sign_in || die "demo: --browser goes with --port and nothing else"
    demo_browser "${port:-8700}"
    return
  fi
  [ -z "$port" ] || die "demo: --port goes with --browser"
  bin=$(mktemp -d) server="" authorization_server=""
  trap '[ -z "$server$authorization_server" ] || kill $server $authorization_server 2>/dev/null; rm -rf "$bin"' EXIT
  local protected=() client_secret=""
  if $sign_in; then demo_authorization_server; fi
  if $scripted; then
    [ -n "$file" ] || file=examples/go-server/$(if $sign_in; then echo sign-in; else echo answers; fi).json
    extra+=(--script "$file") shown+=" --script $file"
  fi
  if $scripted && $sign_in; then # a program in place of a browser and the person before it
    extra+=(--browser "node tests/signin/forms.js") shown+=" --browser 'node tests/signin/forms.js'"
  fi
  echo "demo: building the example server and parley"
  go build -o "$bin/" ./examples/go-server ./apps/parley
  mkfifo "$bin/listening"
  CLIENT_SECRET=$client_secret "$bin/go-server" -addr 127.0.0.1:0 "${protected[@]}" >"$bin/listening" 2>"$bin/server.log" &
  server=$!
  local url=
  read -r _ _ url <"$bin/listening" || { cat "$bin/server.log" >&2 && die "demo: the server did not start"; }
  echo "demo: the server listens on $url"
  echo "demo: parley call $url update_work_item '{\"id\":4711,\"state\":\"Resolved\"}'$shown"
  echo
  "$bin/parley" call "$url" update_work_item '{"id":4711,"state":"Resolved"}' --label "Work items" "${extra[@]}"
}

# The tests' authorization server, whose pages take any name. It lets the example
# server look tokens up.
demo_authorization_server() {
  hosts/js/npm-install.sh tests/signin
  echo "demo: starting an authorization server"
  mkfifo "$bin/authorization"
  node tests/signin/authorization-server.js --scope items --scope items:write >"$bin/authorization" 2>"$bin/authorization.log" &
  authorization_server=$!
  local said
  read -r said <"$bin/authorization" || { cat "$bin/authorization.log" >&2 && die "demo: the authorization server did not start"; }
  member() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/" <<<"$said"; }
  protected=(-issuer "$(member issuer)" -client-id "$(member id)")
  client_secret=$(member secret)
  export XDG_STATE_HOME=$bin/state # the account ends with the demo
  echo "demo: people sign in at $(member issuer), with any name and password"
}

# A server that asks in every way there is, and a page that shows it at a port: stop with Ctrl-C.
demo_browser() {
  # Before anything is built. serve.mjs says so as well, should it be taken meanwhile.
  ! (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null ||
    die "demo: port $1 of 127.0.0.1 is taken by another program. Choose one with --port N, or have a free one chosen: ./build.sh demo --browser --port 0"
  cmd_js
  echo "demo: building the story server"
  bin=$(mktemp -d)
  trap 'rm -rf "$bin"' EXIT
  go build -o "$bin/" ./tests/stories/go-server
  node apps/page/serve.mjs --port "$1" --example "$bin/go-server"
}

# A part of the tests is a folder with a test.sh, which installs what it needs when
# called with "setup" and tests when called with "run", or one of these functions:
# part_* tests, setup_* prepares. 77 is a skip.
own=(gofmt vet library demo) # with Go, Node and npm alone
own_more=(race fuzz verify)

# Users have the versions in go.mod, not the workspace's.
library() { GOWORK=off go "$@"; }

# ours lists the files of a name.
ours() { find * -ignore_readdir_race \( -name node_modules -o -name .built \) -prune -o -name "$1" -type f -print | sort; }

part_gofmt() {
  local files
  files=$(ours '*.go' | xargs -d '\n' "$(go env GOROOT)/bin/gofmt" -l)
  [ -z "$files" ] || { echo "run gofmt -w on:" && echo "$files" && return 1; }
}

part_vet() { library vet ./... && go vet ./apps/... ./examples/... ./tests/...; }

part_library() { library test ./...; }

# The race detector allocates, too, and long messages and many calls cost it half a minute in one goroutine.
setup_race() { command -v gcc >/dev/null || command -v clang-19 >/dev/null || wasm/toolchain/setup.sh; }
part_race() {
  local cc
  cc=$(command -v gcc || command -v clang-19) ||
    { echo "the race detector needs a C compiler; ./build.sh setup installs one" && return "$skip"; }
  export CGO_ENABLED=1 CC=$cc
  # What is beside hosts/go races natively or not at all: -short leaves the other engine out.
  library test -race -skip '^(TestAllocations|TestSlices|TestWaitingCall)$' ./codec/... ./hosts/go/... &&
    go test -race -short ./tests/gosdk/... ./tests/stories/go-server/...
}

# Every fuzz target for some seconds, from its committed seeds, by one worker: other parts run beside it. The targets
# of a package share a program, which is built as go test -fuzz would.
part_fuzz() {
  local package target built="" test
  program=$(mktemp)
  trap 'rm "$program"' EXIT
  while IFS=: read -r package target; do
    test=(go test)
    case $package in ./apps/* | ./tests/* | ./hosts/go/oauth | ./hosts/go/store/redis* | ./hosts/go/store/postgres*) ;; *) test=(library test) ;; esac
    [ "$package" = "$built" ] || "${test[@]}" -c -fuzz . -o "$program" "$package" || return 1
    built=$package
    fuzz "$package" "$target" || return 1
  done < <(ours '*_test.go' | xargs -d '\n' grep -HoE '^func Fuzz\w+' | sed -E 's|^(.*)/[^/]*:func (Fuzz.*)$|./\1:\2|')
}

# On a busy machine Go's fuzzer sometimes ends with "context deadline exceeded"
# when its time is up, having found nothing: then, and only then, try again.
fuzz() {
  local out
  for _ in 1 2 3; do
    if out=$(cd "$1" && "$program" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "${FUZZTIME:-3s}" -test.fuzzminimizetime 10x \
      -test.fuzzcachedir "$(go env GOCACHE)/fuzz/${1#./}" -test.parallel 1 2>&1) && [[ $out == *"fuzz: elapsed"* ]]; then
      return
    fi
    [[ $out == *"context deadline exceeded"* && $out != *"Failing input"* ]] || break
  done
  echo "$1 $2"
  echo "$out"
  return 1
}

# Where the toolchain cannot be installed, everything else can still be tested.
setup_verify() { wasm/toolchain/setup.sh || return "$skip"; }
part_verify() { wasm/toolchain/verify.sh; }

# What the README shows must run, and so must its variant with signing in.
setup_demo() { hosts/js/npm-install.sh tests/signin; }
part_demo() {
  local shown way
  for way in "" --sign-in; do
    shown=$(cmd_demo $way --script 2>&1) || { echo "$shown" && return 1; }
    echo "$shown"
    [[ $shown == *"duplicate of 4242"* ]] || { echo "the demo did not reach its result" && return 1; }
  done
  [[ $shown == *"wants you to allow more"* ]] || { echo "the demo did not sign in" && return 1; }
}

found() { ours test.sh | sed 's|/test\.sh$||'; }

header() { sed -nE "s/^# $2: *//p" "$1/test.sh" | head -n 1; }

# needs: what a found part needs beside Go, Node and npm.
needs() { header "$1" needs | tr ' ' '\n' | grep -vxE 'go|node|npm|' | tr '\n' ' '; }

# seconds: about how long a part takes; the longest go first.
seconds() {
  case $1 in
    library) echo 100 ;;
    race) echo 200 ;;
    fuzz) echo 150 ;;
    verify) echo 120 ;;
    vet) echo 30 ;;
    */*) local s && s=$(header "$1" seconds) && echo "${s:-10}" ;;
    *) echo 5 ;;
  esac
}

quick_parts() {
  printf '%s\n' "${own[@]}"
  local part
  for part in $(found); do [ -n "$(needs "$part")" ] || echo "$part"; done
}

more_parts() {
  printf '%s\n' "${own_more[@]}"
  local part
  for part in $(found); do [ -z "$(needs "$part")" ] || echo "$part"; done
}

cmd_parts() {
  local part
  for part in $(quick_parts); do echo "$part"; done
  echo
  echo "and with test all:"
  for part in $(more_parts); do
    case $part in
      */*) printf '%-28s %s\n' "$part" "$(needs "$part")" ;;
      *) echo "$part" ;;
    esac
  done
}

# call runs one part's setup or run, in a shell of its own: set -e would be off
# inside a function called from a condition.
call() {
  if [[ $2 == */* ]]; then "$2/test.sh" "$1"; else "$BASH" build.sh --part "$1" "$2"; fi
}

cmd_test() {
  local parts=() part all jobs=${JOBS:-$(nproc)} began=$EPOCHREALTIME
  case ${1:-} in
    "") mapfile -t parts < <(quick_parts) ;;
    all) mapfile -t parts < <(quick_parts && more_parts) ;;
    *)
      all=" $( (quick_parts && more_parts) | tr '\n' ' ')"
      for part; do
        part=${part%/} && part=${part%/test.sh}
        [[ $all == *" $part "* ]] || die "test: no part is called $part (./build.sh parts lists them)"
        parts+=("$part")
      done
      ;;
  esac
  library run ./internal/testkit/sources/stale || exit 1
  # Part vet looks at everything, and at more: go test need not do it again for each way of building.
  case ${1:-} in "" | all) export GOFLAGS="$(go env GOFLAGS) -vet=off" ;; esac
  logs=$(mktemp -d) summary="" failed=""
  trap 'rm -rf "$logs"; kill $(jobs -p) 2>/dev/null || :' EXIT
  run_parts "${parts[@]}"
  report
  [ $# -gt 0 ] || echo "./build.sh test all adds: $(more_parts | tr '\n' ' ')"
  [ -z "$failed" ] || die "test: not every part passed:$failed"
}

# run_parts sets parts up and tests them, each as soon as it is set up. Setting up mostly waits, for a network or for
# another that installs: as many are set up as are tested meanwhile. The longest go first, so that none is left alone
# at the end.
run_parts() {
  local order part pid status
  local -A state=() busy=([setup]=0 [run]=0) step_of=() part_of=() start_of=()
  mapfile -t order < <(printf '%s\n' "$@" | awk '!seen[$0]++' | by_length)
  for part in "${order[@]}"; do
    if is_plain "$part"; then state[$part]=run; else state[$part]=setup; fi
  done
  while :; do
    begin run
    begin setup
    [ ${#part_of[@]} -gt 0 ] || break
    status=0
    wait -n -p pid || status=$?
    end "$pid" $status
  done
}

# begin takes a step, setup or run, with the parts that it is next for.
begin() {
  local part log
  for part in "${order[@]}"; do
    [ "${busy[$1]}" -lt "$jobs" ] || break
    [ "${state[$part]}" = "$1" ] || continue
    log=$logs/$1,${part//\//,}
    [ "$1" = setup ] || echo "-- $part, after $(tenths "$(since "$began")") s"
    (
      TIMEFORMAT='%U %S' status=0
      time call "$1" "$part" >"$log" 2>&1 </dev/null || status=$?
      exit $status
    ) 2>"$log,processor" &
    part_of[$!]=$part step_of[$!]=$1 start_of[$!]=$EPOCHREALTIME
    state[$part]=busy busy[$1]=$((busy[$1] + 1))
  done
}

# end tells how a process ended that begin began, and what it said.
end() {
  local part=${part_of[$1]} step=${step_of[$1]} took result log
  took=$(since "${start_of[$1]}") log=$logs/$step,${part//\//,}
  unset "part_of[$1]"
  busy[$step]=$((busy[$step] - 1))
  if [ "$step" = setup ] && [ "$2" = 0 ]; then
    state[$part]=run result="is set up"
  else
    state[$part]=ended
    case $2 in
      0) result=PASS ;;
      "$skip") result=SKIP && { [ "${CI:-}" != true ] || failed+=" $part"; } ;;
      *) result=FAIL failed+=" $part" ;;
    esac
  fi
  result=$(printf '%-28s %s %7s s, %7s s of a processor' "$part" "$result" "$(tenths "$took")" "$(processor "$log")")
  [ "${state[$part]}" = run ] || summary+=$result$'\n'
  [ "${state[$part]}" = run ] && [ "$took" -lt 20 ] || echo "== $result"
  sed '/\[no test files\]/d; s/^/   /' "$log"
}

# is_plain: whether a part has nothing to set up.
is_plain() { [[ $1 != */* ]] && ! declare -F "setup_$1" >/dev/null; }

# by_length puts the longest of the parts that it reads first.
by_length() { while read -r part; do echo "$(seconds "$part") $part"; done | sort -srnk 1,1 | cut -d' ' -f2; }

# report ends with what the parts said last that did not pass: a long log is read from its end.
report() {
  local part log
  printf '\n%s\n' "$(sort <<<"${summary%$'\n'}")"
  printf '%d parts, set up and tested in %s s, %s at a time\n' "$(wc -l <<<"${summary%$'\n'}")" "$(tenths "$(since "$began")")" "$jobs"
  for part in $failed; do
    for log in "$logs"/{setup,run},"${part//\//,}"; do
      [ ! -s "$log" ] || { printf '\n== %s did not pass, and said last\n' "$part" && sed '/^ok /d' "$log" | tail -n 30 | cut -c1-300; }
    done
  done
}

# processor is how many seconds of a processor the process took that wrote a log.
processor() { awk '{ printf "%.1f", $1 + $2 }' "$1,processor"; }

# since is how many tenths of a second have passed.
since() { echo $(((${EPOCHREALTIME/./} - ${1/./}) / 100000)); }

tenths() { echo "$(($1 / 10)).$(($1 % 10))"; }

command=${1:---help}
[ $# -eq 0 ] || shift
case $command in
  setup | wasm | verify) check_prerequisites && exec "wasm/toolchain/$command.sh" "$@" ;;
  test | bench | demo | js) check_prerequisites && "cmd_$command" "$@" ;;
  parts) cmd_parts ;;
  --part) # run NAME, or setup NAME, for cmd_test
    [ "$1" = setup ] && what=setup_$2 || what=part_$2
    ! declare -F "$what" >/dev/null || "$what"
    ;;
  -h | --help | help) usage ;;
  *) usage >&2 && exit 2 ;;
esac
