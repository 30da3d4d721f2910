#!/usr/bin/env bash
# Runs BenchmarkCall and prints a table: the best time of each, and its ratio to
# the official SDK's in the same run. Then the rows that have no peer, of
# hosts/go/bench.sh. Then the codec: BenchmarkSeal and BenchmarkOpen, each beside
# the peer that does most nearly the same. Rows take turns, five times.
set -euo pipefail
cd "$(dirname "$0")"
go test -run '^$' -bench '^BenchmarkCall$' -benchmem -benchtime 0.5s . -turns 5 | awk '
  /^BenchmarkCall/ {
    split($1, name, "/"); sub(/(#[0-9]+)?(-[0-9]+)?$/, "", name[3]); sub(/legs=/, "", name[3])
    key = name[2] SUBSEP name[3]
    if (!(key in best) || $3 < best[key]) best[key] = $3
    bytes[key] = $5; allocs[key] = $7; rows[name[3]] = 1
  }
  /^FAIL|panic/ { print; failed = 1 }
  END {
    if (failed || length(best) == 0) exit 1
    printf "%-5s %-15s %10s %10s %8s %8s\n", "legs", "client", "us/call", "B/call", "allocs", "ratio"
    for (legs = 1; legs <= 10; legs++) if (legs in rows) {
      n = split("native-flow wazero-flow native-requests wazero-requests gosdk", clients, " ")
      for (i = 1; i <= n; i++) {
        key = clients[i] SUBSEP legs
        printf "%-5d %-15s %10.1f %10d %8d %8.3f\n", legs, clients[i], best[key] / 1000, bytes[key], allocs[key], best[key] / best["gosdk" SUBSEP legs]
      }
    }
  }'
echo
../../hosts/go/bench.sh
echo
echo "A state of 200 bytes, sealed and opened; guard is a request and its result as JSON text."
go test -run '^$' -bench '^Benchmark(Seal|Open)$' -benchmem -benchtime 0.2s . -turns 5 | awk '
  /^Benchmark(Seal|Open)\// {
    split($1, name, "/"); sub(/^Benchmark/, "", name[1]); sub(/(#[0-9]+)?(-[0-9]+)?$/, "", name[3])
    key = name[1] SUBSEP name[2] SUBSEP name[3]
    if (!(key in best) || $3 < best[key]) best[key] = $3
    bytes[key] = $5; allocs[key] = $7
  }
  /^FAIL|panic/ { print; failed = 1 }
  END {
    if (failed || length(best) == 0) exit 1
    printf "%-5s %-9s %-7s %8s %8s %8s  %s\n", "way", "what", "engine", "us/op", "B/op", "allocs", "ratio"
    n = split("codec native xchacha|codec wazero xchacha|xchacha native xchacha|guard native paseto|guard wazero paseto|paseto native paseto|" \
      "age native stockage|age wazero stockage|stockage native stockage", rows, "|")
    for (way = 1; way <= 2; way++) for (i = 1; i <= n; i++) {
      split(rows[i], row, " "); verb = way == 1 ? "Seal" : "Open"
      key = verb SUBSEP row[1] SUBSEP row[2]
      printf "%-5s %-9s %-7s %8.2f %8d %8d  %.2f of %s\n", tolower(verb), row[1], row[2], best[key] / 1000, bytes[key], allocs[key],
        best[key] / best[verb SUBSEP row[3] SUBSEP "native"], row[3]
    }
  }'
