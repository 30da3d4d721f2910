#!/usr/bin/env bash
# Calls through a session, one by one and 10,000 at once, what a waiting call
# holds, what a call waits beside hostile servers, and what a snapshot costs.
# tests/peers/bench.sh has these rows and those beside peers.
set -euo pipefail
cd "$(dirname "$0")"
export GOWORK=off
go test -run '^$' -bench '^BenchmarkSession$' -benchmem -count 5 -benchtime 0.3s . | awk '
  /^BenchmarkSession/ {
    split($1, name, "/"); sub(/-[0-9]+$/, "", name[3]); sub(/legs=/, "", name[3])
    key = name[2] " " name[3]
    if (!(key in best) || $3 < best[key]) best[key] = $3
    allocs[key] = $7; rows[++n] = key
  }
  END {
    for (i = 1; i <= n; i++) if (!(rows[i] in seen)) {
      split(rows[i], row, " "); seen[rows[i]] = 1
      printf "through a session: %-2d legs, %s: %.1f us, %d allocs\n", row[2], row[1], best[rows[i]] / 1000, allocs[rows[i]]
    }
  }'
go test -run '^$' -bench '^BenchmarkSessionAtOnce$' -benchtime 1x -count 3 . | awk '
  /^BenchmarkSessionAtOnce/ {
    sub(/^BenchmarkSessionAtOnce\//, "", $1); sub(/-[0-9]+$/, "", $1)
    for (i = 2; i < NF; i++) if ($(i + 1) == "us/call" && (!($1 in best) || $i < best[$1])) best[$1] = $i
  }
  END { for (name in best) printf "10,000 calls at once through one session, %s: %.0f us each\n", name, best[name] }'
echo
go test -run '^$' -bench '^BenchmarkWaiting$' -benchtime 1x . | awk '
  /^BenchmarkWaiting/ {
    sub(/^BenchmarkWaiting\//, "", $1); sub(/-[0-9]+$/, "", $1)
    for (i = 2; i < NF; i++) if ($(i + 1) == "bytes/flow") printf "10,000 calls waiting, %s: %d bytes each\n", $1, $i
  }'
go test -run '^$' -bench '^BenchmarkStall$' -benchtime 1x . | awk '
  /^BenchmarkStall/ {
    sub(/^BenchmarkStall\//, "", $1); sub(/-[0-9]+$/, "", $1); gsub(/_/, " ", $1); sub(/\//, ", ", $1)
    for (i = 2; i < NF; i++) of[$(i + 1)] = $i
    printf "beside eight servers of 60 MiB each (%s), ms at a question, median and worst of 200: answer %.2f and %.1f, cancel %.2f and %.1f, park %.2f and %.1f; longest step %.1f\n", $1,
      of["answer-median-ms"], of["answer-worst-ms"], of["cancel-median-ms"], of["cancel-worst-ms"], of["park-median-ms"], of["park-worst-ms"], of["step-worst-ms"]
  }'
go test -run '^$' -bench '^BenchmarkSnapshot$' -count 5 ../../engine | awk '
  /^BenchmarkSnapshot/ { if (!best || $3 < best) best = $3; for (i = 2; i < NF; i++) if ($(i + 1) == "bytes") size = $i }
  END { printf "restore and snapshot, native: %.1f us, %d bytes\n", best / 1000, size }'
