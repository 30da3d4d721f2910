#!/usr/bin/env bash
# Runs the scenarios of the official MCP conformance suite that are about rounds
# against go-server: one line for each. Usage: run.sh [scenario...]
# Exits with 1 if one does not pass, with 77 if the suite cannot be run here.
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=../client/suite.sh
. ../client/suite.sh

spec=2026-07-28
prefix=input-required-result-
# The scenarios and how many checks each makes. The number is here because a
# scenario that makes none, or leaves some out, passes as far as the suite goes.
declare -A checks=(
  [basic-elicitation]=3 [basic-sampling]=3 [basic-list-roots]=3 [request-state]=3
  [multiple-input-requests]=3 [multi-round]=4 [missing-input-response]=2
  [non-tool-request]=3 [result-type]=2 [unsupported-methods]=2 [tampered-state]=2
  [capability-check]=2 [ignore-extra-params]=2 [validate-input]=3
)
work='' server=''

# Every scenario of the suite is to be known here, and the other way round, so
# that a new version of it cannot add or lose one unseen.
compare_lists() {
  local here there
  here=$(printf "$prefix%s\n" "${!checks[@]}" | sort)
  there=$(conformance list --server --spec-version $spec | sed -nE "s/^ *- ($prefix[a-z0-9-]+).*/\1/p" | sort)
  [ "$here" = "$there" ] ||
    die "run.sh and the suite do not have the same scenarios:"$'\n'"$(diff <(echo "$here") <(echo "$there"))"
}

start_server() {
  go build -o "$work/go-server" ../../stories/go-server
  mkfifo "$work/listening"
  "$work/go-server" -conformance -addr 127.0.0.1:0 >"$work/listening" 2>"$work/server.log" &
  server=$!
  read -r _ _ url <"$work/listening" || { cat "$work/server.log" >&2 && die "the server did not start"; }
}

stop() {
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  rm -rf "$work"
}

# The exit code is of no use: in server mode a warning is 0, and so is nothing.
run_scenario() {
  local name=$prefix$1 out=$work/$1
  timeout 900 "$node" "$suite" server --url "$url" --scenario "$name" --spec-version $spec \
    --timeout 300000 --output-dir "$out" >"$work/$1.log" 2>&1 || true
  "$node" verdict.mjs "$name" "${checks[$1]}" "$out"/*/checks.json && return
  compgen -G "$out/*/checks.json" >/dev/null || tail -n 5 "$work/$1.log"
  kill -0 "$server" 2>/dev/null || { echo "the server has ended:" && tail -n 20 "$work/server.log"; }
  return 1
}

for scenario; do
  [ -n "${checks[${scenario#"$prefix"}]:-}" ] || die "there is no scenario $scenario (there are: ${!checks[*]})"
done
[ $# -gt 0 ] || mapfile -t all < <(printf '%s\n' "${!checks[@]}" | sort)
[ $# -gt 0 ] || set -- "${all[@]}"
command -v go >/dev/null || die "there is no go on PATH: install Go 1.26 or later (https://go.dev/dl)"
install
find_node
compare_lists
trap stop EXIT
work=$(mktemp -d)
start_server
failed=0 made=0
for scenario; do
  scenario=${scenario#"$prefix"}
  run_scenario "$scenario" || failed=$((failed + 1))
  made=$((made + checks[$scenario]))
done
[ $failed = 0 ] || die "$failed of $# scenarios failed"
echo "$# scenarios passed, $made checks"
