// Package comic is the page engine: it finds and reads the text of a comic page, and puts translations in its place.
//
// [Engine.Detect] turns image bytes into regions and a [Context]: the decoded page with what was found on it.
// [Engine.Render] turns a context and translations into the bytes of the finished page. Both are pure functions of
// (image, models, parameters): the same input gives the same bytes, on any number of threads and in every mode, and
// nothing is kept between calls but what the caller holds.
//
// Each has a half that is plain work on a file, [Engine.Decode] and [Lettered.Encode], and one that is what a device is for:
// [Decoded.Detect] and [Engine.Letter]. A caller whose device is taken by turns holds it for the latter alone.
//
// The steps are packages of their own, each with one job:
//
//	detect   where lines of text are
//	tone     the page without its screentone
//	ocr      what they say
//	reline   lines of Chinese and Japanese text that cross, found again by their ink
//	regions  which lines belong together, their colors and direction
//	order    in which order regions are read
//	mask     which pixels are glyphs
//	inpaint  what lies behind them
//	letter   how the translation is set in its text area
package engine
