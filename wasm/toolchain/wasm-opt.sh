#!/usr/bin/env bash
# Takes the place of binaryen's wasm-opt, which TinyGo insists on running last:
# takes the module as it is. ../../RATIONALE.md says why.
set -euo pipefail

if [ "$*" = --version ]; then
  echo "wasm-opt version 132" # one that TinyGo takes
  exit
fi
input='' output=''
while [ $# -gt 0 ]; do
  case $1 in
    --output) output=$2 && shift ;;
    -*) ;;
    *) input=$1 ;;
  esac
  shift
done
cp "$input" "$output"
