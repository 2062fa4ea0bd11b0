// Package translate turns the texts of a page into another language: through a language model, or from a script of human
// translations.
//
// # The model's way
//
// A page's texts go out as numbered segments (<|1|>…) under a system text that says what they are, with the previous pages
// of the chapter as context. The reply must hold exactly the numbers that were asked for. Segments that are missing,
// double, merged, empty, untranslated, in the wrong script, repeating or echoing are asked for again, and only those:
//
//  1. of the first model, 0.2 warmer each time, up to 1. Only answers that were not fit make a call warmer;
//  2. of the fallback model. Content that a filter stops, or a model refuses in words, goes there at once;
//  3. in halves, quarters and eighths, so that one segment does not take its neighbors along.
//
// What is then still without a fit translation stays as it is drawn, with the reason of its last answer
// (core.Untranslated). The page is rendered all the same. Errors of the provider are never retried here; that belongs to the
// workflow, which also obeys RetryAfter while no slot is held.
//
// # Sense
//
// What a model is told of its work is a file ([Prompts]), with notes on style for the pair of languages, and so is not what an
// answer must look like. Beside the page it is given what the story is about, the pages before, what the chapter has called its names so far, and
// the entries of the glossary that occur (package glossary). An answer that goes against an entry is asked for once more.
//
// # Paid once
//
// Every call has a key (package ledger). A recorded answer is taken instead of a call, and an answer is recorded before it
// is used. A second run over the same page therefore replays the first one's answers, good and bad, in order and without
// cost, and pays only from where the first run stopped.
//
// # Page text is data
//
// A comic may hold any text, also one that looks like an instruction or like our markers. Segments are flattened to
// one line, markers inside them are broken up, and a reply is only ever parsed into texts: nothing in it is executed,
// followed or used to address anything.
//
// # Tokens and cost
//
// Tokens are those of the provider's usage. Where it gives none they are counted by [Config.Count], or else from characters:
// one token a Chinese, Japanese or Korean character, one for four others. Cost is tokens times the price table of [Config].
package translate
