// Package letter sets translations into an erased page, as a letterer would.
//
// # The way of a text
//
//  1. The text area: the inside of the bubble or caption, or what stands for it; see package textarea.
//  2. The text: prepared for the language (its quotes, dashes and ellipses, capitals for dialogue of alphabets that have
//     them, full-width marks), shaped by HarfBuzz in runs of one direction, with a fallback font for what the first lacks.
//  3. The breaks: chosen over the whole text, so that the lines follow the contour of the text area and none is a scrap.
//     Where a line may break is Unicode's line breaking algorithm (UAX 14) with house rules on top: kinsoku, phrases of
//     Chinese and Japanese, words of Korean. Words are divided, by the patterns of their language, as a last resort.
//  4. The size: one for the normal dialogue of a page where the bubbles allow it; louder and quieter text in proportion
//     to its source. Of two texts in one interior the longer takes what the other leaves. A size below the legible floor
//     makes a text overflow, which is reported with how much of it would fit.
//  5. The drawing: outlines, anti-aliased, in the source's color where it can be read, in italics where the source is,
//     with its outline, or a rim where art would swallow it. Sounds stand behind speech.
//
// # Frames
//
// Layout happens in a local frame, in which lines run along x and stack along y. For horizontal text it is the page; for
// vertical text it is the page turned, so that columns are lines; for slanted text it is the page rotated.
//
// Lengths are in pixels, unless a comment says em: units of the font size.
package letter
