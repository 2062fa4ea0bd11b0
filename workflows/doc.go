// Package workflows is the course that the tasks of every kind share: the order of steps and the handling of failures. It is deterministic
// and does no I/O: activities, which it knows only by names and types, handle files, models and rows. A kind adds a [Routine] in its own
// folder.
//
// # A task
//
// [Run] keeps a window of items in flight and runs the kind's process for each. A failed item does not affect the others; the counts in
// the result come from the rows of the items. When the history of a run approaches its bound, or the server suggests to continue as new,
// the run starts no further item, waits for those in flight, and continues with the rest in a new run.
//
// # Retries and pauses
//
// A retry runs the failed items of an ended task again, in another run under the same id. A search attribute contains the number of the
// retry, and the records refuse writes of an earlier one. A signal with the revision of the task's row pauses the task: the gate then
// admits no new item and no new model call, while those in progress finish. A step that finds the pause in the records before the signal
// arrives is run again when the task resumes.
//
// # Leases
//
// A step may keep a lease in the memory of its host; the next step of the item runs on the queue of the same process ([HostStep]).
// [IsLeaseLost] reports that the lease is gone or the host does not answer; the kind then repeats the work elsewhere. The lease of an item
// that ends without using it is released ([ItemRun.ReleaseLease]).
//
// # Changes
//
// Histories of every path are under testdata/replay, and the tests of the kinds replay them: see docs/workflow-changes.md.
package workflows
