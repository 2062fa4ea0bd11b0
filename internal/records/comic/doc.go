// Package comicrecords keeps what only comics know of a task: the pages of a chapter, their regions, and what people edited. It
// adds statements of its own to the transactions of package records, which keep the items.
package comicrecords
