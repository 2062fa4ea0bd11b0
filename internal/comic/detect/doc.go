// Package detect finds the lines of text on a page.
//
// The model is of the PP-OCR family: it gives each pixel the probability to lie in the core of a line of text. Lines are
// made from that map as in "Real-time Scene Text Detection with Differentiable Binarization" (Liao et al., 2020): binarize,
// take each connected component, enclose it in its rectangle of least area, drop what scores low, and grow the rectangle
// back from the core to the whole line.
//
// # Size
//
// The model was trained on text of some 10 to 60 pixels, in pictures of 640 x 640. A page is scaled to a width at which comic
// lettering has that height (see [Params]). What is then larger than a tile is cut into overlapping tiles; their probability
// maps are joined in the middle of each overlap before lines are made, so that no line is found twice or cut in two. A second run
// on the whole page, reduced, adds what is too large for a tile: drawn sound effects and shouts.
//
// # Ends
//
// The model gives a low probability to the dots of an ellipsis and to small signs at the end of a line. Where the line stands on
// flat color, its ends are extended over the ink that follows; a large single character beside it is found the same way.
//
// # Determinism
//
// The same image and parameters give the same lines, in the same order, whatever runs beside it.
package detect
