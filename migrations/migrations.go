// Package migrations holds the schema of Plait's records: SQL files that goose applies in the order of their numbers. A change
// of the schema is a file with the next number.
//
// Each table, view and column has a COMMENT ON, because data teams read the schema rather than this code.
package migrations

import "embed"

// FS holds the migrations.
//
//go:embed *.sql
var FS embed.FS
