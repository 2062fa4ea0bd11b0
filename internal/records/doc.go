// Package records keeps Plait's records in Postgres: tasks and their pages, regions and stage runs, the ledger of model
// calls, and API keys. All SQL of the project is here and in the migrations. The schema documents itself (COMMENT ON).
//
// # Writing twice, and too late
//
// Every step may run twice, and an attempt that was given up may still be running. So each write is an upsert by natural
// key, and each write of a step carries its [StageRun] and takes effect only while its page and task have not ended and no
// later run has taken its place; otherwise it fails with [core.CodeConflict] and changes nothing.
//
// Whoever writes to a task or its pages locks the task's row first, as a statement of its own: the statements after it
// then see everything the previous holder wrote, and no two writers can lock each other out. A step is one round trip, a
// batch in one transaction.
//
// # Blobs
//
// A blob is named by its content, so several tasks may share one, and a blob is removed when no row names it any more. A
// request puts its blobs before its row exists; until then they are held ([Store.HoldBlobs]). Deleting a task releases
// what it named. [Store.RemoveBlobs] removes what is neither named nor held, excluding holders that come meanwhile.
//
// # Sessions
//
// Slots are session locks, and the feed of changes listens: neither works through a connection pooler in transaction
// mode. The connection URL may set default_query_exec_mode and any other parameter of pgx.
//
// Nothing is waited for without end, whatever the caller's context allows: connecting has 5 seconds, the server breaks a statement
// off after statement_timeout (15 seconds), and 5 seconds later a connection counts as dead on which no answer has come; waiting
// for a connection of the pool has as long. Only a migration may take its time.
package records
