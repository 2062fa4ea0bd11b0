// Package reline finds the lines of Chinese and Japanese text again where those of the detector cross each other, or lie across
// what the ink tells.
//
// Characters of such text fill squares, and where lines stand as near to each other as characters do, the detector
// takes rows for columns, joins the beginnings of several columns, or boxes furigana with its line. On flat ground the ink
// itself tells the lines: its projections on both axes are bands of about one width with blanks between. The axis whose
// bands are of one width, or whose blanks are wider, or that has fewer bands, is the one across the lines; a narrow band
// to the right of a column, or above a row, is its furigana.
//
// Lines that the detector overlooked beside others are told by their ink too: see [Overlooked]. [Characters] are those of a column.
package lineseg
