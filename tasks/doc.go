// Package tasks accepts tasks of every kind durably, starts, cancels, pauses, retries and deletes them, and repairs what crashes
// leave. It knows no kind: a kind plans its tasks ([Plan]) and adds what it needs besides ([Kind]).
//
// # Accepting
//
// The kind checks everything about a request before anything is written. Then the blobs are held and put, then the row is
// written, then the workflow is started, and only then the client is answered. A refused request leaves neither row nor blob. The
// sweeper repairs a crash between two of these steps: it starts tasks that have a row and no workflow, and removes blobs that no
// row names.
package tasks
