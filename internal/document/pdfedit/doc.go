// Package pdfedit writes the translation of a PDF file. It edits the operators of the pages that are there and keeps everything else: the
// outline, destinations, forms, annotations, page labels, attachments, layers, boxes, rotation and tags.
//
// # What changes
//
//   - Removed glyphs leave the strings that show them, and what stands after them keeps its place. New text is drawn in the place of the old,
//     with the state around it restored.
//   - A form XObject that is edited is copied first, so that its other uses stay as they are.
//   - /ActualText, /Alt and /E of marked content and structure elements whose glyphs were removed are removed too.
//   - Links follow their text. /Lang becomes the language of the translation.
//   - Signatures lose their value and keep their appearance, because they cover bytes that have changed. Rights and certification (/Perms)
//     and the XML of XFA forms go.
//   - JavaScript and launch actions go, unless an option keeps them.
//   - An encrypted file becomes one without encryption: who has its password, or a file that opens without one, reads the translation.
//
// # Same input, same bytes
//
// Objects are written in the order in which the catalog reaches them. The identifier of the file is a hash, and its dates are those of the
// source.
package pdfedit
