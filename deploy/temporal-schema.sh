#!/bin/sh
# Makes Temporal's databases and brings their schema up to date; safe to run again. Runs in temporalio/admin-tools.
set -eu
export SQL_PASSWORD="$POSTGRES_PASSWORD"
for name in temporal visibility; do
	database=temporal
	[ "$name" = temporal ] || database=temporal_visibility
	tool="temporal-sql-tool --plugin postgres12 --ep postgres -p 5432 -u plait --db $database"
	$tool create || true # it exists already
	$tool setup-schema -v 0.0 || true
	$tool update-schema -d "/etc/temporal/schema/postgresql/v12/$name/versioned"
done
