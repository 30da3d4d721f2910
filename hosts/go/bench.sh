#!/usr/bin/env bash
# What a call waits beside hostile servers. tests/peers has what calls cost.
set -euo pipefail
cd "$(dirname "$0")"
export GOWORK=off
go test -run '^$' -bench '^BenchmarkStall$' -benchtime 1x . | awk '
  /^BenchmarkStall/ {
    sub(/^BenchmarkStall\//, "", $1); sub(/-[0-9]+$/, "", $1); gsub(/_/, " ", $1); sub(/\//, ", ", $1)
    for (i = 2; i < NF; i++) of[$(i + 1)] = $i
    printf "beside eight servers of 60 MiB each (%s), ms at a question, median and worst of 200: answer %.2f and %.1f, cancel %.2f and %.1f, park %.2f and %.1f; longest step %.1f\n", $1,
      of["answer-median-ms"], of["answer-worst-ms"], of["cancel-median-ms"], of["cancel-worst-ms"], of["park-median-ms"], of["park-worst-ms"], of["step-worst-ms"]
  }'
# All as long as its limit allows, in steps that take no slices.
go test -run '^$' -bench '^BenchmarkLimits$' -benchtime 20x . | awk '
  /^BenchmarkLimits/ {
    sub(/^BenchmarkLimits\//, "", $1); sub(/-[0-9]+$/, "", $1); sub(/\//, ", ", $1)
    for (i = 2; i < NF; i++) of[$(i + 1)] = $i
    printf "a call whose params, round and answer are as long as their limits (%s), median ms: call %.1f, begin %.1f, round %.1f, answer %.1f, snapshot %.1f, restore %.1f\n", $1,
      of["call-ms"], of["begin-ms"], of["round-ms"], of["answer-ms"], of["snapshot-ms"], of["restore-ms"]
  }'
