// Package translate turns the texts of a page into another language: through a language model, or from a script of human
// translations.
//
// # Translation by a model
//
// The texts of a page are sent as numbered segments (<|1|>…) with a system text of instructions, and with the previous pages of the
// chapter as context. The reply must contain exactly the requested numbers. Only segments that are missing, double, merged, empty,
// untranslated, in the wrong script, repeating or echoing are asked again:
//
//  1. of the first model, 0.2 warmer each time, up to 1. Only unacceptable answers make a call warmer;
//  2. of the fallback model. Content that a filter stops, or a model refuses in words, goes there immediately;
//  3. in halves, quarters and eighths, so that one segment does not affect its neighbors.
//
// Segments that then still have no acceptable translation keep their original lettering, with the reason of their last answer
// (core.Untranslated). The page is rendered nevertheless. This package never retries errors of the provider: the workflow does, and it
// waits for RetryAfter without holding a slot.
//
// # Instructions and glossary
//
// The instructions for a model are a file ([Prompts]), with notes on style for the pair of languages; the required form of an answer is
// not part of the file. With the page, the model receives the synopsis, the previous pages, the names as the chapter has translated them
// so far, and the entries of the glossary that occur (package glossary). An answer that contradicts an entry is asked for once more.
//
// # Paid once
//
// Every call has a key (package ledger). A recorded answer is used instead of a call, and an answer is recorded before it is used. A
// second run over the same page therefore repeats the first one's answers, good and bad, in order and without cost, and pays only from
// where the first run stopped.
//
// # Page text is data
//
// A comic may contain any text, including text that looks like an instruction or like our markers. Segments are flattened to one line,
// markers inside them are broken up, and a reply is only parsed into texts: nothing in it is executed, followed or used to address
// anything.
//
// # Tokens and cost
//
// Token counts come from the provider's usage. When it reports none they are counted by [Config.Count], or else estimated from characters:
// one token for each Chinese, Japanese or Korean character, and one for four others. The cost is tokens times the price table of [Config].
package translate
