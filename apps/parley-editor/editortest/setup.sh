#!/usr/bin/env bash
# Installs what the tests of the editor plug-ins need: Neovim, Emacs without
# windows, and tmux, the terminal that they run in, or those of them that are
# named. Quick when nothing is missing. Where they cannot be installed it says what
# to do, and exits with 77.
# Usage: setup.sh [nvim | emacs | tmux]...
set -euo pipefail

declare -A package_of=([nvim]=neovim [emacs]=emacs-nox [tmux]=tmux)

[ $# != 0 ] || set -- "${!package_of[@]}"
need=()
for program; do
  command -v "$program" >/dev/null || need+=("${package_of[$program]}")
done

[ ${#need[@]} = 0 ] || "$(dirname "$0")/../../../internal/testkit/debian/install.sh" "${need[@]}"
for program; do
  case $program in
    tmux) tmux -V ;;
    *) "$program" --version ;;
  esac | sed -n '1s/^/editors: /p'
done
