#!/usr/bin/env bash
# setup.sh redis|postgres ...: installs servers for tests, and starts none. Debian's
# package redis-tools has Redis, under the name redis-check-rdb, without the service of
# redis-server; of PostgreSQL the package of one version is taken, told to make no
# cluster. Quick when nothing is missing. Where one cannot be installed it says what
# to do, and exits with 77.
set -euo pipefail
cd "$(dirname "$0")"

has() {
  case $1 in
    redis) command -v redis-server >/dev/null || command -v redis-check-rdb >/dev/null ;;
    postgres) compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null || command -v initdb >/dev/null ;;
    *) echo "usage: setup.sh redis|postgres ..." >&2; exit 2 ;;
  esac
}

# Else the installation of PostgreSQL makes a cluster, and starts it.
make_no_cluster() {
  local as_root=() file=/etc/postgresql-common/createcluster.conf
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  [ -e $file ] || "${as_root[@]}" sh -c "mkdir -p $(dirname $file) && echo 'create_main_cluster = false' >$file" || :
}

for name; do
  has "$name" && continue
  case $name in
    redis) ../debian/install.sh redis-tools ;;
    postgres) make_no_cluster && ../debian/install.sh postgresql ;;
  esac
done
