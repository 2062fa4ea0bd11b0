// Package workflows is the course that the tasks of every kind share: what happens in what order, and what if it fails. It is
// deterministic and touches nothing: files, models and rows belong to the activities, which it knows only by their names and types.
// A kind adds a [Routine] in a folder of its own.
//
// # A task
//
// [Run] keeps a window of items in flight and lets each go through the process of its kind. An item that fails, fails alone; the
// counts of the result come from the rows of the items. When the history of a run nears its bound, or the server suggests to
// continue as new, the run begins no further item, waits for those in flight, and carries the rest into a new run.
//
// # Retries and pauses
//
// A retry does the failed items of an ended task again, in another run under the same id; a search attribute tells which retry
// a run is of, and the records refuse what an earlier one writes. A task pauses by a signal that carries the revision of its row:
// the gate then lets no item and no model call begin, while what has begun ends. A step that finds in the records that its
// task pauses, before the signal has come, is run again when the task goes on.
//
// # Leases
//
// A step may leave a lease in the memory of its host; the next step of the item runs on the queue of that very process
// ([HostStep]). When the lease is gone, or the host does not answer, [IsLeaseLost] tells so, and the kind does the work anew
// elsewhere. An item that ends before it used its lease has it freed ([ItemRun.ReleaseLease]).
//
// # Changes
//
// Histories of every path lie under testdata/replay, and the tests of the kinds replay them: see docs/workflow-changes.md.
package workflows
