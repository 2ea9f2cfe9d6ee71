#!/bin/sh
# What the official image does before the server starts: the first time it makes the cluster, its owner and a database.
set -e
if [ "$(id -u)" = 0 ]; then
  exec setpriv --reuid postgres --regid postgres --init-groups "$0" "$@"
fi
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  owner=${POSTGRES_USER:-postgres}
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  # shellcheck disable=SC2086 # several arguments
  initdb --username "$owner" --pwfile /tmp/password $POSTGRES_INITDB_ARGS
  rm /tmp/password
  printf "listen_addresses = '*'\n" >> "$PGDATA/postgresql.conf"
  printf 'host all all all scram-sha-256\n' >> "$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  [ "${POSTGRES_DB:-$owner}" = postgres ] || createdb -U "$owner" "${POSTGRES_DB:-$owner}"
  pg_ctl -D "$PGDATA" -m fast -w stop
fi
exec "$@"
