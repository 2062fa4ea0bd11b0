// Package migrations holds the schema of Plait's records: SQL files, one for each subject, that goose applies in the order of
// their numbers.
//
// Each table, view and column has a COMMENT ON, because data teams read the schema rather than this code. Until the first
// release the schema is one generation: a change edits the file of its subject.
package migrations

import "embed"

// FS holds the migrations.
//
//go:embed *.sql
var FS embed.FS
