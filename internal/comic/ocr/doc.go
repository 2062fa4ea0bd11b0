// Package ocr reads lines of text.
//
// A line is cut out of the page by one affine sampling to the height that the model wants, at the width that keeps its
// proportions; nothing is squashed or padded to a fixed width. A column of vertical text is turned a quarter
// counter-clockwise, as the model was trained to read it. The model gives each step along the line the probability of
// each character; [Dictionary.Decode] takes the best of each step, drops repeats and then blanks (greedy CTC, Graves et
// al., 2006).
//
// A row may be set sideways, or steep: one that runs down the page is turned as a column is; a doubtful column is read as a row
// that runs up, too (see [Course]).
//
// A column of few kana is read as letters when it is turned; [Recognizer.ReadLevel] reads its characters upright, side by side.
//
// A line with a character in doubt is read once more, cut tighter; where that leaves the voicing mark of a kana in doubt, cut
// looser. A character that is lost between two others is put back where the model knows which it may be. What the shape of one character leaves open is settled by
// its neighbors: the dots of an ellipsis, and katakana drawn like characters of Chinese.
//
// The base set has no classifier of upside-down lines: on comics it turns short lines that stand upright. One that is added
// is asked about long lines that were read with doubt (see [Recognizer.UseAngles]).
package ocr
