#!/bin/sh
# Makes a user and a database for each of the three services, with the passwords of their URLs. Run by the image of PostgreSQL on an empty volume.
set -eu
for name in modal secure recovery; do
    password="$(sed 's|.*:\(.*\)@.*|\1|' "${SECRETS:-/run/secrets}/${name}_database_url")"
    psql --username "${POSTGRES_USER:-postgres}" --dbname postgres --quiet --set ON_ERROR_STOP=1 --set name="$name" --set password="$password" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
done
