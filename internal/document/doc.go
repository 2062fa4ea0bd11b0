// Package document is the vocabulary of the document engine, which translates PDF files and keeps their layout. The packages below it do
// the work, one after the other:
//
//	pdf      reads a file: pages as pictures, and their content as glyphs, rules and images
//	layout   finds the regions of a page with an ONNX model: text, titles, figures, tables, formulas
//	flow     joins glyphs to lines, paragraphs and table cells, and replaces formulas by markers
//	typeset  sets a translated text into the boxes of its paragraph
//	pdfedit  rewrites the content of pages, embeds fonts, and writes the result
//
// # Coordinates
//
// All coordinates are in points (1/72 inch) in the user space of a page: x to the right, y up, the origin where the file has it, before
// /Rotate is applied. A renderer shows the crop box, rotated by /Rotate. Text has a direction of its own: a page with /Rotate 90 usually
// has text with a [Direction] of 90, which a reader then sees upright.
//
// # Operators
//
// The engine never rebuilds the content of a page. It edits the operators that are there: it removes the glyphs of translated text, moves
// formulas with their rules, and writes new text in the place of the old. [Op] identifies an operator in the order in which a renderer
// executes the content of the page; the content of a form XObject is executed in the place of its Do operator.
package document
