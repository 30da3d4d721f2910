#!/usr/bin/env bash
# Runs the scenarios of the official MCP conformance suite that are about rounds
# and tasks, and whatever else needs nothing of its own, against go-server: one
# line for each. Usage: run.sh [scenario...]
# Exits with 1 if one does not pass, with 77 if the suite cannot be run here.
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=../client/suite.sh
. ../client/suite.sh

spec=2026-07-28
prefix=input-required-result- # may be left out in the arguments

# The scenarios and how many checks each makes. The number is here because a
# scenario that makes none, or leaves some out, passes as far as the suite goes.
# One skips itself, as the suite does not listen yet: when it does, there is
# something to pass.
runs='
input-required-result-basic-elicitation 3
input-required-result-basic-sampling 3
input-required-result-basic-list-roots 3
input-required-result-request-state 3
input-required-result-multiple-input-requests 3
input-required-result-multi-round 4
input-required-result-missing-input-response 2
input-required-result-non-tool-request 3
input-required-result-result-type 2
input-required-result-unsupported-methods 2
input-required-result-tampered-state 2
input-required-result-capability-check 2
input-required-result-ignore-extra-params 2
input-required-result-validate-input 3
tasks-lifecycle 9
tasks-capability-negotiation 5
tasks-wire-fields 4
tasks-request-state-removal 3
tasks-mrtr-input 4
tasks-request-headers 5
tasks-dispatch-and-envelope 9
tasks-required-task-error 3
tasks-mrtr-composition 2
tasks-status-notifications skipped
tools-list 4
prompts-list 2
resources-list 2
sep-2164-resource-not-found 4
caching 8
http-header-validation 14
server-sse-multiple-streams 2
dns-rebinding-protection 2
'

# What the suite has beside these, and why it is not run.
left_out='
server-stateless: its tools for subscriptions and capabilities are to test an SDK; Parley has no server
completion-complete: it calls a prompt of its own, which the SDK completes
tools-call-simple-text: it calls a tool of its own, to see how the SDK writes results
tools-call-image: the same
tools-call-audio: the same
tools-call-embedded-resource: the same
tools-call-mixed-content: the same
tools-call-error: the same
tools-call-with-progress: it calls a tool of its own, to see how the SDK sends progress
json-schema-2020-12: it looks for a tool of its own, to see how the SDK lists schemas
resources-read-text: it reads a resource of its own, to see how the SDK writes it
resources-read-binary: the same
resources-templates-read: the same
prompts-get-simple: it gets a prompt of its own, to see how the SDK writes it
prompts-get-with-args: the same
prompts-get-embedded-resource: the same
prompts-get-with-image: the same
http-custom-header-server-validation: it calls a tool of its own, whose header fields the SDK checks
sep-2640-skills-directory: skills are resources of a server
sep-2640-skills-enumeration: the same
sep-2640-skills-manifest: the same
'
declare -A checks
while read -r scenario count; do [ -z "$scenario" ] || checks[$scenario]=$count; done <<<"$runs"
work='' server=''

# Every scenario of the suite is to be known here, and the other way round, so
# that a new version of it cannot add or lose one unseen.
compare_lists() {
  local here there
  here=$(sed -n 's/^\([^ ]*\) .*/\1/p; s/^\([^:]*\): .*/\1/p' <<<"$runs$left_out" | tr -d : | sort -u)
  there=$({
    conformance list --server --spec-version $spec
    conformance list --server | grep '\[extension\]' # extensions have no version
  } | sed -nE 's/^ *- ([a-z0-9-]+) .*/\1/p' | sort)
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
# A scenario of an extension belongs to no version, and has to be forced.
run_scenario() {
  local name=$1 out=$work/$1
  timeout 900 "$node" "$suite" server --url "$url" --scenario "$name" --spec-version $spec --force \
    --timeout 300000 --output-dir "$out" >"$work/$1.log" 2>&1 || true
  "$node" verdict.mjs "$name" "${checks[$1]}" "$out"/*/checks.json && return
  compgen -G "$out/*/checks.json" >/dev/null || tail -n 5 "$work/$1.log"
  kill -0 "$server" 2>/dev/null || { echo "the server has ended:" && tail -n 20 "$work/server.log"; }
  return 1
}

all=()
for scenario; do
  [ -n "${checks[$scenario]:-}" ] || scenario=$prefix$scenario
  [ -n "${checks[$scenario]:-}" ] || die "there is no scenario ${scenario#"$prefix"} (there are: ${!checks[*]})"
  all+=("$scenario")
done
[ $# -gt 0 ] || mapfile -t all < <(printf '%s\n' "${!checks[@]}" | sort)
set -- "${all[@]}"
command -v go >/dev/null || die "there is no go on PATH: install Go 1.26 or later (https://go.dev/dl)"
install
find_node
compare_lists
trap stop EXIT
work=$(mktemp -d)
start_server
failed=0 made=0 skipped=0
for scenario; do
  run_scenario "$scenario" || failed=$((failed + 1))
  if [ "${checks[$scenario]}" = skipped ]; then skipped=$((skipped + 1)); else made=$((made + checks[$scenario])); fi
done
[ $failed = 0 ] || die "$failed of $# scenarios failed"
echo "$(($# - skipped)) scenarios passed, $made checks; $skipped skipped by the suite itself; left out:$(sed 's/^\(.\)/  \1/' <<<"$left_out")"
