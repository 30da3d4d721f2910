#!/usr/bin/env bash
# Runs a folder's npm test, or another script of its package.json. Shows only the
# counts, and what was done once more, unless something fails.
# Usage: node-tests.sh FOLDER [SCRIPT]
set -euo pipefail
out=$(npm --prefix "$1" --silent run "${2:-test}" 2>&1) || { printf '%s\n' "$out" && exit 1; }
grep -E '^ *(#|ℹ) once more' <<<"$out" || :
grep -E '^(#|ℹ) (tests|pass|fail|skipped) ' <<<"$out" | tr '\n' ' '
echo
