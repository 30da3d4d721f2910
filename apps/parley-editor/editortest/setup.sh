#!/usr/bin/env bash
# Installs what the tests of the editor plug-ins need: Neovim, Emacs without
# windows, and tmux, the terminal that they run in. Quick when nothing is
# missing. Where they cannot be installed it says what to do, and exits with 77.
set -euo pipefail
skip=77

declare -A package_of=([nvim]=neovim [emacs]=emacs-nox [tmux]=tmux)

need=()
for program in "${!package_of[@]}"; do
  command -v "$program" >/dev/null || need+=("${package_of[$program]}")
done

if [ ${#need[@]} != 0 ]; then
  if ! command -v apt-get >/dev/null; then
    echo "editors: there is no apt-get to install what is missing: put on the PATH ${!package_of[*]}"
    exit "$skip"
  fi
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    as_root=(sudo -n)
    sudo -n true 2>/dev/null || { echo "editors: some are missing. Run as root: apt-get install ${need[*]}" && exit "$skip"; }
  fi
  echo "editors: installing Debian packages ${need[*]}"
  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
  install=("${apt[@]}" install --yes --no-install-recommends "${need[@]}")
  # Package lists that are missing or out of date are the usual reason to fail.
  "${install[@]}" >/dev/null 2>&1 || { "${apt[@]}" update && "${install[@]}" >/dev/null; } ||
    { echo "editors: apt-get install ${need[*]} failed" && exit "$skip"; }
fi
echo "editors: $(nvim --version | head -n 1), $(emacs --version | head -n 1), $(tmux -V)"
