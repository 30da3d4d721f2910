#!/usr/bin/env bash
# setup.sh redis|postgres ...: installs servers for tests, and starts none. Debian's
# package redis-tools has Redis, under the name redis-check-rdb, without the service of
# redis-server; of PostgreSQL the package of one version is taken, told to make no
# cluster. Quick when nothing is missing. Where one cannot be installed it says what
# to do, and exits with 77.
set -euo pipefail
skip=77

has() {
  case $1 in
    redis) command -v redis-server >/dev/null || command -v redis-check-rdb >/dev/null ;;
    postgres) compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null || command -v initdb >/dev/null ;;
    *) echo "usage: setup.sh redis|postgres ..." >&2; exit 2 ;;
  esac
}

install() {
  local package=$2 as_root=() apt get
  if ! command -v apt-get >/dev/null; then
    echo "$1: there is no apt-get to install it with: put it on the PATH"
    exit "$skip"
  fi
  if [ "$(id -u)" != 0 ]; then
    as_root=(sudo -n)
    sudo -n true 2>/dev/null || { echo "$1: it is missing. Run as root: apt-get install $package" && exit "$skip"; }
  fi
  echo "$1: installing the Debian package $package"
  if [ "$1" = postgres ]; then # else its installation makes a cluster, and starts it
    "${as_root[@]}" mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
      "${as_root[@]}" sh -c 'echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf'
  fi
  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600)
  get=("${apt[@]}" install --yes --no-install-recommends -o Dpkg::Options::=--force-confold "$package")
  # Package lists that are missing or out of date are the usual reason to fail.
  "${get[@]}" >/dev/null 2>&1 || { "${apt[@]}" update && "${get[@]}" >/dev/null; } ||
    { echo "$1: apt-get install $package failed" && exit "$skip"; }
}

for name; do
  has "$name" && continue
  case $name in redis) install redis redis-tools ;; postgres) install postgres postgresql ;; esac
done
