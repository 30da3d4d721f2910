#!/usr/bin/env bash
# The demo is the main job: a real MCP server asks, the wasm engine runs the loop, a person (or a script) answers in
# the terminal. ./build.sh demo runs it, and its help has the arguments.
set -euo pipefail
cd "$(dirname "$0")/.."

die() {
  echo "build.sh: demo: $*" >&2
  exit 1
}

demo() {
  local file="" scripted=false sign_in=false browser=false port="" extra=() shown=""
  while [ $# -gt 0 ]; do
    case $1 in
      --script)
        scripted=true
        if [[ ${2:---} != --* ]]; then file=$2 && shift; fi
        ;;
      --sign-in) sign_in=true ;;
      --browser) browser=true ;;
      --port) port=${2:-} && [[ $port =~ ^[0-9]+$ ]] || die "--port needs a number, 0 for a free port" && shift ;;
      *) die "unknown argument $1 (usage: ./build.sh demo [--sign-in] [--script [FILE]] | --browser [--port N])" ;;
    esac
    shift
  done
  if $browser; then
    if $scripted || $sign_in; then die "--browser goes with --port and nothing else"; fi
    page "${port:-8700}"
    return
  fi
  [ -z "$port" ] || die "--port goes with --browser"
  bin=$(mktemp -d) server="" authorization_server=""
  trap '[ -z "$server$authorization_server" ] || kill $server $authorization_server 2>/dev/null; rm -rf "$bin"' EXIT
  local protected=() client_secret=""
  if $sign_in; then start_authorization_server; fi
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
  read -r _ _ url <"$bin/listening" || { cat "$bin/server.log" >&2 && die "the server did not start"; }
  echo "demo: the server listens on $url"
  echo "demo: parley call $url update_work_item '{\"id\":4711,\"state\":\"Resolved\"}'$shown"
  echo
  "$bin/parley" call "$url" update_work_item '{"id":4711,"state":"Resolved"}' --label "Work items" "${extra[@]}"
}

# The tests' authorization server, whose pages take any name. It lets the example
# server look tokens up.
start_authorization_server() {
  hosts/js/npm-install.sh tests/signin
  echo "demo: starting an authorization server"
  mkfifo "$bin/authorization"
  node tests/signin/authorization-server.js --scope items --scope items:write >"$bin/authorization" 2>"$bin/authorization.log" &
  authorization_server=$!
  local said
  read -r said <"$bin/authorization" || { cat "$bin/authorization.log" >&2 && die "the authorization server did not start"; }
  member() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/" <<<"$said"; }
  protected=(-issuer "$(member issuer)" -client-id "$(member id)")
  client_secret=$(member secret)
  export XDG_STATE_HOME=$bin/state # the account ends with the demo
  echo "demo: people sign in at $(member issuer), with any name and password"
}

# A server that asks in every way there is, and a page that shows it at a port: stop with Ctrl-C.
page() {
  # Before anything is built. serve.mjs says so as well, should it be taken meanwhile.
  ! (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null ||
    die "port $1 of 127.0.0.1 is taken by another program. Choose one with --port N, or have a free one chosen: ./build.sh demo --browser --port 0"
  hosts/js/setup.sh
  echo "demo: building the story server"
  bin=$(mktemp -d)
  trap 'rm -rf "$bin"' EXIT
  go build -o "$bin/" ./tests/stories/go-server
  node apps/page/serve.mjs --port "$1" --example "$bin/go-server"
}

demo "$@"
