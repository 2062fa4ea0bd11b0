// Package records keeps Plait's records in Postgres: tasks of every kind with their items, files and stage runs, the ledger of
// model calls, uploads, hosts and API keys. All SQL of the project is here, in the packages of the kinds below, and in the
// migrations. The schema documents itself (COMMENT ON).
//
// # Kinds
//
// This package knows no kind. A kind keeps its details in tables of its own, and writes them in the transactions of this package:
// [Store.BeginStage], [Store.Save], [Store.FinishItem], [Store.DeleteTask] and [NewTask] take statements of the kind. See
// records/comic.
//
// # Repeated and late writes
//
// Every step may run twice, and an attempt that was given up may still be running. So each write is an upsert by natural key, and
// each write of a step carries its [StageRun]: it takes effect only while the item and its task have not ended and no later run
// has superseded it. Otherwise it fails with [core.CodeConflict] and changes nothing.
//
// A transaction that writes to a task or its items first locks the row of the task, in a statement of its own: the later
// statements see everything that the previous holder of the lock wrote, and writers cannot deadlock. A step is one round trip, a
// batch in one transaction.
//
// # Blobs
//
// A blob is named by its content, so several tasks may share one; it is removed when no row names it any more. A request stores
// its blobs before its row exists, and holds them until then ([Store.HoldBlobs]). Deleting a task releases the blobs that it
// named. [Store.RemoveBlobs] removes blobs that are neither named nor held, and excludes new holders meanwhile.
//
// # Sessions
//
// Slots are session locks, and the feed of changes uses LISTEN: neither works through a connection pooler in transaction mode. The
// connection URL may set default_query_exec_mode and any other parameter of pgx.
//
// Every wait is bounded, whatever the context of the caller allows: 5 seconds for connecting, statement_timeout (15 seconds) for a
// statement on the server, 5 seconds more until a silent connection counts as dead, and as long for a connection of the pool. Only
// a migration has no bound.
package records
