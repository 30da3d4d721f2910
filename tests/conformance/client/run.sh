#!/usr/bin/env bash
# Runs the client scenarios of the official MCP conformance suite with Parley's
# session as the client: in Go, its engine under wazero, and in Node. One line for
# each. Usage: run.sh [go|node] [scenario...]
# Exits with 1 if one does not pass, with 77 if the suite cannot be run here.
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=suite.sh
. ./suite.sh

# Protocol version, scenario, how many checks it makes. The number is here because
# a scenario that makes none, or leaves some out, passes as far as the suite goes.
# "any": once more with a client that finds the version out by itself.
# "witness": with a witness of every request, see witness.mjs.
# "go", "node": with that client only.
runs='
2026-07-28 sep-2322-client-request-state 6
2026-07-28 tools_call 2
2026-07-28 request-metadata 8 any
2026-07-28 http-standard-headers 9 witness
2026-07-28 http-custom-headers 18
2026-07-28 http-invalid-tool-headers 12
2026-07-28 json-schema-ref-no-deref 1
2026-07-28 json-schema-2020-12-preservation 9
2026-07-28 auth/metadata-default 18
2026-07-28 auth/metadata-var1 18
2026-07-28 auth/metadata-var2 18
2026-07-28 auth/metadata-var3 18
2026-07-28 auth/basic-cimd 12
2026-07-28 auth/scope-from-www-authenticate 14
2026-07-28 auth/scope-from-scopes-supported 14
2026-07-28 auth/scope-omitted-when-undefined 14
2026-07-28 auth/scope-step-up 25
2026-07-28 auth/scope-retry-limit 11
2026-07-28 auth/token-endpoint-auth-basic 19
2026-07-28 auth/token-endpoint-auth-post 19
2026-07-28 auth/token-endpoint-auth-none 19
2026-07-28 auth/pre-registration 12
2026-07-28 auth/resource-mismatch 2
2026-07-28 auth/offline-access-scope 12
2026-07-28 auth/offline-access-not-supported 14
2026-07-28 auth/authorization-server-migration 27
2026-07-28 auth/iss-supported 14
2026-07-28 auth/iss-not-advertised 14
2026-07-28 auth/iss-supported-missing 8
2026-07-28 auth/iss-wrong-issuer 8
2026-07-28 auth/iss-unexpected 8
2026-07-28 auth/iss-normalized 8
2026-07-28 auth/metadata-issuer-mismatch 3
2025-11-25 initialize 1
2025-11-25 tools_call 2 any
2025-11-25 elicitation-sep1034-client-defaults 5 any
2025-11-25 sse-retry 3
2025-11-25 json-schema-2020-12-preservation 9
2025-11-25 auth/metadata-default 18
2025-11-25 auth/metadata-var1 18
2025-11-25 auth/metadata-var2 18
2025-11-25 auth/metadata-var3 18
2025-11-25 auth/basic-cimd 13
2025-11-25 auth/scope-from-www-authenticate 14
2025-11-25 auth/scope-from-scopes-supported 14
2025-11-25 auth/scope-omitted-when-undefined 14
2025-11-25 auth/scope-step-up 22
2025-11-25 auth/scope-retry-limit 10
2025-11-25 auth/token-endpoint-auth-basic 19
2025-11-25 auth/token-endpoint-auth-post 19
2025-11-25 auth/token-endpoint-auth-none 19
2025-11-25 auth/pre-registration 13
2025-06-18 initialize 1
2025-06-18 tools_call 2
2025-06-18 auth/token-endpoint-auth-basic 19
2025-06-18 auth/token-endpoint-auth-post 19
2025-06-18 auth/token-endpoint-auth-none 19
extension auth/client-credentials-basic 8
extension auth/client-credentials-jwt 8
extension auth/enterprise-managed-authorization 9
'

# What the suite has beside these, and why it is not run: README.md says more.
left_out='
auth/dpop: tokens bound to a key are not done
auth/dpop-nonce: the same
auth/wif-jwt-bearer: the identity of a workload is not done
sep-2640-client-no-prefetch: skills are resources to a session, and a host reads them
sep-2640-client-verify-digest: the same
sep-2640-client-verify-size: the same
sep-2640-client-verify-frontmatter: the same
'
work='' running=''

# Every scenario of the suite is to be known here, and the other way round, so
# that a new version of it cannot add or lose one unseen.
compare_lists() {
  local version here there
  for version in 2026-07-28 2025-11-25 2025-06-18; do
    here=$(sed -n "s/^$version \([^ ]*\) .*/\1/p" <<<"$runs" | sort)
    there=$(conformance list --client --spec-version "$version" | sed -nE 's/^ *- ([a-z0-9_\/-]+) .*/\1/p' | sort)
    compare "$version" "$here" "$there"
  done
  here=$(sed -n 's/^extension \([^ ]*\) .*/\1/p; s/^\([^:]*\): .*/\1/p' <<<"$runs$left_out" | sort)
  there=$(conformance list --client | sed -nE 's/^ *- ([a-z0-9_\/-]+) \[extension\].*/\1/p' | sort)
  compare extensions "$here" "$there"
}

compare() {
  [ "$2" = "$3" ] || die "run.sh and the suite do not have the same scenarios for $1:"$'\n'"$(diff <(echo "$2") <(echo "$3"))"
}

# client: the command that a client is run by, quoted for the suite's shell.
client() {
  case $1 in
    go) [ -x "$work/client" ] || go build -o "$work/client" . && printf '%q' "$work/client" ;;
    node) printf '%q %q' "$node" "$PWD/node/main.mjs" ;;
  esac
}

# run_scenario: version, scenario, checks, name of the run, command. The suite, its
# client and whatever they start are one process group, of which nothing may be
# left.
run_scenario() {
  local out=$work/out status=0 left=0 version=(--spec-version "$1") files
  [ "$1" != extension ] || version=() # they are of no version
  rm -rf "$out"
  timeout -k 5 900 "$node" "$suite" client --command "$5" --scenario "$2" "${version[@]}" \
    --timeout 300000 --output-dir "$out" >"$work/log" 2>&1 &
  running=$!
  wait "$running" || status=$?
  if kill -0 -- "-$running" 2>/dev/null; then
    kill -KILL -- "-$running" 2>/dev/null || true
    left=1
  fi
  running=''
  files=$out/$(dirname "$2")
  files=$(echo "$files/$(basename "$2")"-*) # the time goes into the name
  "$node" verdict.mjs "$4" "$3" "$status" "$files/checks.json" "$files/stdout.txt" || {
    cat "$files/stdout.txt" "$files/stderr.txt" 2>/dev/null || tail -n 20 "$work/log"
    return 1
  }
  [ $left = 0 ] || { echo "FAIL $4: a process outlived it" && return 1; }
}

stop() {
  [ -z "$running" ] || kill -KILL -- "-$running" 2>/dev/null || true
  rm -rf "$work"
}

clients=(go node)
case ${1:-} in go | node) clients=("$1") && shift ;; esac
for scenario; do
  grep -q "^[^ ]* $scenario " <<<"$runs" || die "there is no scenario $scenario (there are: $(cut -d' ' -f2 <<<"$runs" | sort -u | xargs))"
done
wanted=" $* "
command -v go >/dev/null || die "there is no go on PATH: install Go 1.26 or later (https://go.dev/dl)"
[ -f ../../../hosts/js/dist/node.js ] || [ "${clients[*]}" = go ] || die "there is no hosts/js/dist: build it with hosts/js/setup.sh"
install
find_node
compare_lists
trap stop EXIT
trap 'exit 130' INT TERM
work=$(mktemp -d)
failed=0 passed=0 made=0
tally() {
  if run_scenario "$@"; then
    passed=$((passed + 1)) made=$((made + $3))
  else
    failed=$((failed + 1))
  fi
}
for name in "${clients[@]}"; do
  command=$(client "$name")
  while read -r version scenario checks more; do
    [[ -n $version && ($wanted == "  " || $wanted == *" $scenario "*) ]] || continue
    [[ $more != go && $more != node || $more == "$name" ]] || continue
    before=''
    [ "$more" != witness ] || before="$(printf '%q %q' "$node" "$PWD/witness.mjs") "
    tally "$version" "$scenario" "$checks" "$name $version $scenario" "$before$command"
    [ "$more" != any ] || tally "$version" "$scenario" "$checks" "$name $version found out, $scenario" "$command --any-version"
  done <<<"$runs"
done
[ $failed = 0 ] || die "$failed of $((failed + passed)) runs failed"
echo "$passed runs passed, $made checks; left out:$(sed 's/^\(.\)/  \1/' <<<"$left_out")"
