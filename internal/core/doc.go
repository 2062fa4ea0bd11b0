// Package core is the vocabulary of Plait: tasks, pages, regions, stages, modes and errors, and what each step of a
// page's way takes and gives. Every other package speaks in these words; this one imports none of them.
//
// # A page's way
//
// A task is what a client asked for; a chapter is an ordered list of pages; a page is one image; a region is one block of
// text on it. A page goes through three stages. Detect finds and reads the regions and leaves a detect context in the
// memory of the host that ran it. Translate turns the texts into the target language, away from any device. Render
// returns to that host, erases the text and letters the translations. A page whose context is lost is done again from
// the image by the page stage, with the translations already made.
//
// # Rules for these types
//
// They are plain values that travel through Temporal and HTTP as JSON: a field may be added, never renamed or given
// another meaning, because a running workflow may still hold the old form. Images never travel; a [BlobRef] names them.
//
// # Errors
//
// [Error] is the closed set: a [Code], a sentence that a client may read, and a retry rule that belongs to the code.
package core
