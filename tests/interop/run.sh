#!/usr/bin/env bash
# Runs one of the servers or official clients of this directory, and sets it up
# first, which is quick when it was done before. README.md says which there are.
#
#   run.sh server NAME --http PORT | --stdio [--legacy] ...
#   run.sh client NAME [--legacy] URL | -- COMMAND...
#   run.sh crossing ts-legacy|python-legacy [--no-get] URL    three calls at once
#   run.sh rounds python-legacy URL CALLS                     calls whose handlers ask by their results
#   run.sh tools ts-legacy [--undeclared]    a server over stdio whose tools say whether they run as tasks
#   run.sh setup NAME
#   run.sh --ready server|client NAME ...    takes the set-up as done
#   run.sh --ready restaurant|forms rust ... the servers of tests/servers and tests/forms on rmcp
#
# Exits with 77 where what it needs cannot be had, and says why.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=$(realpath -m "${PARLEY_CACHE:-$root/.cache}")/interop

say() { printf 'interop: %s\n' "$*" >&2; }

unavailable() {
  say "$*"
  exit 77
}

# Two set-ups at once: one works, the other waits.
alone() {
  mkdir -p "$cache"
  echo '*' >"$cache/.gitignore"
  exec 9>"$cache/$name.lock"
  flock 9
}

setup_gosdk() {
  alone
  (cd "$root" && go build -o "$cache/gosdk" ./tests/interop/gosdk) >&2
  exec 9>&-
}

# node_modules as the lock file says; npm ci is slow to find that out.
setup_npm() {
  command -v npm >/dev/null || unavailable "there is no npm on PATH: install Node 20 or later (https://nodejs.org)"
  local folder=$here/$name
  cmp -s "$folder/package-lock.json" "$folder/node_modules/.installed" && return
  alone
  if ! cmp -s "$folder/package-lock.json" "$folder/node_modules/.installed"; then
    say "installing npm packages in tests/interop/$name"
    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null) >&2
    cp "$folder/package-lock.json" "$folder/node_modules/.installed"
  fi
  exec 9>&-
}

# The environment that examples/python-server pins.
setup_python() { python=$("$root/examples/python-server/setup.sh" "$@") || unavailable "there is no Python environment: see above"; }

# Parley's own client, in JavaScript.
setup_parley_js() {
  [ -e "$root/hosts/js/dist/node.js" ] || unavailable "hosts/js is not built: run hosts/js/setup.sh"
}

setup_rust() {
  alone
  "$here/rust.sh" 88 || exit # rmcp needs it
  CARGO_TARGET_DIR=$cache/rust cargo build --quiet --locked --manifest-path "$here/rust/Cargo.toml" >&2
  exec 9>&-
}

# Debian's starts a service, which has no listener unless somebody configured one.
setup_haproxy() {
  ! PATH=$PATH:/usr/sbin command -v haproxy >/dev/null || return 0
  "$root/internal/testkit/debian/install.sh" haproxy
}

ready=false
[ "${1:-}" != --ready ] || { ready=true && shift; }
[ $# -ge 2 ] || { sed -n '2,/^# Exits/s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
role=$1 name=$2
shift 2
# No && after a set-up: set -e would be off inside.
case $name in
  gosdk)
    if ! $ready; then setup_gosdk; fi
    command=("$cache/gosdk")
    ;;
  ts | ts-legacy)
    if ! $ready; then setup_npm; fi
    command=(node "$here/$name/$role.js")
    ;;
  python)
    setup_python # which is where it is, too
    command=("$python" "$here/python/$role.py")
    ;;
  python-legacy) # version 1 of the SDK
    setup_python "$root/tests/servers/python/sdk1.txt"
    command=("$python" "$here/python-legacy/$role.py")
    ;;
  parley-python)
    setup_python
    command=("$python" "$here/parley-python/$role.py")
    ;;
  parley-js)
    if ! $ready; then setup_parley_js; fi
    command=(node "$here/parley-js/$role.js")
    ;;
  over-ts | over-ts-legacy) # Parley over the client of that SDK
    name=${name#over-}
    if ! $ready; then setup_npm && setup_parley_js; fi
    if [ "$role" = client ]; then role=over; fi
    command=(node "$here/$name/$role.js")
    ;;
  rust)
    if ! $ready; then setup_rust; fi
    command=("$cache/rust/debug/$role")
    ;;
  haproxy) # in front of servers
    if ! $ready; then setup_haproxy; fi
    command=(haproxy)
    ;;
  *) say "there is no $name" && exit 2 ;;
esac
[ "$role" = setup ] || exec "${command[@]}" "$@"
