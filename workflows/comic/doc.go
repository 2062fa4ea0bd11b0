// Package comic holds the workflows of comics: [Task] for a chapter or a page, and [Edit] for a page whose translations a person
// has changed.
//
// In mode split a page is detected on a shared queue of hosts, translated on the translate queue, and rendered on the queue of the
// very process that detected it. A page without text ends after detect. When its lease is lost, the compensating branch sends the
// whole page to a shared queue with the translations already made. In mode unified the page step runs alone. Texts that do not
// fit are asked for once in a shorter form: the host tells them in place of a page and keeps its lease, the translator answers, and
// the page is rendered with what came.
//
// How many pages a chapter detects before their translations are due follows from what it measures: enough that the model does
// not wait, and not so many that a lease expires before its translation is done. Translations run in page order, because each is
// given the pages before it; where a model is quick, the next one is asked for while it works, and waits for its turn within the
// step.
package comic
