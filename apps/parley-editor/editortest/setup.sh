#!/usr/bin/env bash
# Installs what the tests of the editor plug-ins need: Neovim, Emacs without
# windows, and tmux, the terminal that they run in, or those of them that are
# named. Quick when nothing is missing. Where they cannot be installed it says what
# to do, and exits with 77.
# Usage: setup.sh [nvim | emacs | tmux]...
set -euo pipefail
skip=77

declare -A package_of=([nvim]=neovim [emacs]=emacs-nox [tmux]=tmux)

[ $# != 0 ] || set -- "${!package_of[@]}"
need=()
for program; do
  command -v "$program" >/dev/null || need+=("${package_of[$program]}")
done

if [ ${#need[@]} != 0 ]; then
  if ! command -v apt-get >/dev/null; then
    echo "editors: there is no apt-get to install what is missing: put on the PATH $*"
    exit "$skip"
  fi
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    as_root=(sudo -n)
    sudo -n true 2>/dev/null || { echo "editors: some are missing. Run as root: apt-get install ${need[*]}" && exit "$skip"; }
  fi
  echo "editors: installing Debian packages ${need[*]}"
  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600)
  install=("${apt[@]}" install --yes --no-install-recommends "${need[@]}")
  # Package lists that are missing or out of date are the usual reason to fail.
  "${install[@]}" >/dev/null 2>&1 || { "${apt[@]}" update && "${install[@]}" >/dev/null; } ||
    { echo "editors: apt-get install ${need[*]} failed" && exit "$skip"; }
fi
for program; do
  case $program in
    tmux) tmux -V ;;
    *) "$program" --version ;;
  esac | sed -n '1s/^/editors: /p'
done
