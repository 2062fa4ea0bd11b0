// Package core defines the types that all kinds of tasks share: tasks, items, modes, stages, statuses, translations and errors, and the
// inputs and outputs of the steps that every kind has. It imports no other package of Plait.
//
// # The stages of a page
//
// A task is a request of a client. A chapter is a task with an ordered list of pages; a page is one image; a region is one block of text
// on it. A page goes through three stages. Detect finds and reads the regions, and leaves a detect context in the memory of the host
// that ran it. Translate translates the texts and needs no device. Render runs on the host of the detect context, erases the text and
// letters the translations. If the detect context is lost, the page stage starts again from the image, with the existing translations.
//
// # Compatibility
//
// The types are plain values that are sent through Temporal and HTTP as JSON. A field may be added, but never renamed or given another
// meaning, because a running workflow may have values of the old form. They contain no images, only a [BlobRef] for each.
//
// # Errors
//
// An [Error] has a [Code] of a closed set, a message that a client may read, and a retry rule that depends on the code.
package core
