#!/bin/sh
# Run once by PostgreSQL's image, on a fresh volume: a role that owns its database and nothing else. It may make the extensions
# that searches use. The settings are those that PgBouncer drops from what a connection asks for.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$MINDGATE_DB_PASSWORD" --username postgres --dbname postgres <<'SQL'
create role mindgate login password :'password';
create database mindgate owner mindgate;
alter database mindgate set statement_timeout = '30s';
alter database mindgate set idle_in_transaction_session_timeout = '30s';
alter database mindgate set jit = off;
SQL
