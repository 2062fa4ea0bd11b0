// Package detect finds the lines of text on a page.
//
// The model is of the PP-OCR family. It gives each pixel the probability that it lies in the core of a line of text. Lines are
// made from that probability map as in "Real-time Scene Text Detection with Differentiable Binarization" (Liao et al., 2020): binarize,
// take each connected component, enclose it in its rectangle of least area, drop rectangles with a low score, and grow the
// others from the core to the whole line.
//
// # Size
//
// The model was trained on text of some 10 to 60 pixels, in pictures of 640 x 640. A page is scaled to a width at which comic
// lettering has that height (see [Params]).
//
// Detection runs twice: first on the whole reduced page, and then in overlapping tiles at the full scale, but only in those where the first
// run leaves doubt: where text may be that none of its clear lines explains, such as small, steep and drawn lettering. Elsewhere the enlarged
// map of the reduced page stands. The probability maps are joined in the middle of each overlap before lines are made, so that no line is
// found twice or cut in two. The first run also finds lettering too large for a tile: drawn sound effects and shouts. A strip is seen in
// all its tiles, and not whole.
//
// # Large lettering
//
// Lines grow in proportion to their cores, as in the training data, but the model shrinks large lettering less: the rectangle around a drawn
// sound is up to 1.9 times as large as its ink. A line keeps it, because the lines of one text are told by meeting, and says how much of it is
// slack, which is neither read nor erased.
//
// # Slanted lettering
//
// The model was trained with level text. It gives a low probability to steep lettering, such as a drawn sound, and joins its lines. Where
// a core is askew and too doubtful to be a line, detection runs once more on the page around it, turned so that the core is level.
//
// # Ends
//
// The model gives a low probability to the dots of an ellipsis and to small signs at the end of a line. Its ends
// are extended over the ink that follows on the paper around it.
//
// # Determinism
//
// The same image and parameters give the same lines in the same order, with any number of threads and concurrent calls.
package detect
