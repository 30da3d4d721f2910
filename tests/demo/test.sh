#!/usr/bin/env bash
# What the README shows must run, and so must its variant with signing in.
# needs: go node npm
# seconds: 5
set -euo pipefail
cd "$(dirname "$0")/../.."
setup() { hosts/js/npm-install.sh tests/signin; }
run() {
  demo
  demo --sign-in
  [[ $shown == *"wants you to allow more"* ]] || { echo "the demo did not sign in" && exit 1; }
}
demo() {
  shown=$(./build.sh demo "$@" --script 2>&1) || { echo "$shown" && exit 1; }
  echo "$shown"
  [[ $shown == *"duplicate of 4242"* ]] || { echo "the demo did not reach its result" && exit 1; }
}
case ${1:-} in setup) setup ;; run) run ;; "") setup; run ;; *) echo "usage: test.sh [setup | run]" >&2; exit 2 ;; esac
