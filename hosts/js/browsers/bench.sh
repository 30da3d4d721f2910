#!/usr/bin/env bash
# Prints how long a page takes to its first question. Exits with 77 where there is no Chromium.
set -euo pipefail
cd "$(dirname "$0")"
chromium=$(command -v chromium) || { echo "a page's first question: not measured, there is no chromium; hosts/js/browsers/setup.sh installs it" && exit 77; }
../npm-install.sh .
../setup.sh
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
go build -o "$built/" ../../../tests/stories/go-server
node first-question.mjs "$chromium" "$built/go-server"
