// Package comic contains the workflows of comics: [Task] for a chapter or a page, and [Edit] for a page whose translations a person has
// changed.
//
// In mode split a page is detected on a queue that all hosts share, translated on the translate queue, and rendered on the queue of the
// process that detected it. A page without text ends after detect. When its lease is lost, the compensating branch sends the whole page to
// a shared queue with the translations already made. In mode unified the page runs as one step. When texts do not fit, the host reports
// them instead of a result and keeps its lease, the translator is asked once for shorter texts, and the page is rendered with its answer.
//
// The number of pages that a chapter detects before their translations are due follows from measured durations: enough that the model does
// not wait, and not so many that a lease expires before its translation is done. Translations run in page order, because each receives the
// previous pages as context; when a model is fast, the next translation is requested while the current one runs, and waits for its turn
// within the step.
package comic
