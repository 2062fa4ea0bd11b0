// Package ink is the drawing table of the sample chapter: closed and open
// paths, brush lines of even or tapering width, flat and gradient paint, clips
// and glyph outlines, all on one opaque RGBA page.
//
// Coordinates are page pixels with y downwards, seen through the affine
// transform of a [Canvas]; line widths are always page pixels, so that a figure
// drawn small keeps the line of a figure drawn large. The same calls give the
// same bytes: nothing depends on time, on map order or on goroutines.
package ink
