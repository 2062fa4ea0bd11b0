// Package content interprets the content streams of PDF pages (ISO 32000-1, section 7.8): it walks through the operators of a page in the
// order in which a renderer executes them, with the graphics and text state before each, down into form XObjects.
//
// [Scan] divides a stream into operators with their operands and their ranges of bytes, so that a caller can replace some operators and keep
// the others byte for byte. [Walk] executes them, and reports what is drawn: texts with the codes, positions and widths of their glyphs,
// paths, and images. It draws nothing itself, and it reads no outline of a font: the meaning of codes is the matter of package pdf.
//
// The files come from outside. A stream that is not well formed ends the scan where it stops making sense, as viewers do; nesting, operands
// and sizes are bounded.
package content
