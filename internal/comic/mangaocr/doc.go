// Package mangaocr reads Japanese lines with a vision encoder and a text decoder, by the contract of manga-ocr
// (kha-white/manga-ocr, Apache-2.0): the encoder looks at the line once, and the decoder writes one token after another,
// each time the likeliest, until it writes the end.
//
// A decoder writes something for any picture. A reading that does not end within what its line can hold is therefore none,
// and the probability of each token counts in that of the reading.
//
// No such model is in the base set; a manifest adds one.
package mangaocr
