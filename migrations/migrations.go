// Package migrations holds the schema of Plait's records: SQL files that goose applies in the order of their numbers.
//
// A file that has been released never changes; what is to be different comes in a new one. Every table, column and view
// has a COMMENT ON, because data teams read the schema rather than this code.
package migrations

import "embed"

// FS holds the migrations.
//
//go:embed *.sql
var FS embed.FS
