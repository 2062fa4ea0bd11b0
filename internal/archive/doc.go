// Package archive reads and writes chapters as ZIP files (CBZ). Archives come from strangers.
//
// # Reading
//
// [Open] reads the directory of an archive and refuses it as a whole, with CodeInvalidArchive or CodeTooLarge and a
// sentence that names the entry, when anything in it could harm whoever unpacks it or is not what it seems: names that
// leave the folder, that are the same name for some file system, or that no file system takes; links and devices;
// encryption; data that overlap or lie outside the file; sizes, counts or ratios over the [Limits]. Nothing is unpacked
// for that. Declared sizes may lie, so a reader of an entry ends with an error as soon as it has given one byte more
// than declared; the declared sizes were summed up before.
//
// Archives inside the archive are entries like any other; they are not opened. Folders are not entries: they exist by the
// names in them.
//
// # Names
//
// A ZIP names its entries in bytes. They are read as UTF-8 where they are UTF-8, whether flagged so or not, by the
// Unicode path that some packers add, or else as Shift_JIS where that gives Japanese, and as CP437, the format's old
// default, otherwise. [Entry.Raw] keeps the bytes as stored. All rules for names hold for the name that was read.
//
// # Writing
//
// [Write] streams files into an archive whose bytes depend on nothing but the files: fixed times, no owner, UTF-8 names.
package archive
