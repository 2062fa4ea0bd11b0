// Package workflows says what happens to a task, in what order, and what if it fails. It is deterministic and touches
// nothing: pictures, models and rows belong to the activities, which it knows only by the names and types of
// plait/internal/core.
//
// # A page
//
// [ChapterWorkflow] and [PageWorkflow] share one page routine. In split mode a page is detected on the shared GPU
// queue, translated on the translate queue, and rendered on the queue of the very process that detected it. A page
// without text ends after detect. When the detect context is lost - the host tells so, or does not answer - the
// compensating branch sends the whole page to the shared queue with the translations already made. In unified mode
// the page step runs alone. Texts that do not fit are asked for once in a shorter form: the host tells them in place of a page
// and keeps its context, the translator answers, and the page is rendered with what came; the page step does so within itself.
//
// # A chapter
//
// Pages overlap: a window of them is in flight, so that devices work while a model answers. How far ahead of its model a
// chapter detects follows from what it measures: far enough that the model does not wait, and not so far that a context
// expires before its translation is done. How many pages of all chapters are let in, each host says by the room in
// its cache. Translations run in page order, because each is given the pages before it; where a model is quick, the next one is
// asked for while it works, and waits for its turn within the step. A page that fails, fails alone; the counts of the result come
// from the page rows.
//
// A history grows by some eighteen events a page. When the server suggests to continue as new, the chapter admits no
// further page, waits for those in flight, and carries the rest into a new run.
//
// # Retries and pauses
//
// The failed pages of a task that has ended are done again in another run under the same id; a search attribute tells which retry a run is
// of, and the records take no word of an earlier one any more. A task pauses by a signal that carries the revision of its row:
// the gate then lets no page and no model call begin, while what has begun ends. A step that finds in the records that its
// task pauses, before the signal has come, is run again when the task goes on.
//
// # Contexts
//
// A page that ends between detect and render, because it is canceled or fails, has its context freed on its host.
//
// # Versions
//
// Histories of every path lie under testdata/replay and are replayed by the tests: a change that breaks a running
// task fails there. Such a change needs workflow.GetVersion, and a history recorded with the old code stays in the
// folder.
package workflows
