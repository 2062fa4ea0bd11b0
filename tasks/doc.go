// Package tasks accepts tasks of every kind durably, starts, cancels, pauses, retries and deletes them, and repairs the state after
// crashes. It is independent of kinds: a kind plans its tasks ([Plan]) and adds its own parts ([Kind]).
//
// # Accepting
//
// The kind checks the whole request before anything is written. Then, in this order, the service holds and puts the blobs, writes the row,
// starts the workflow, and answers the client. A refused request leaves neither row nor blob. The sweeper repairs a crash between two of
// these steps: it starts tasks that have a row and no workflow, and removes blobs that no row names.
package tasks
