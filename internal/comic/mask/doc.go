// Package mask finds the pixels of lettering, so that they can be erased without touching what lies around them.
//
// It starts from the colors of the page, not from boxes. Around each region the color of the ground is looked up. Where
// text stands on a ground (a bubble, a caption), ink is whatever differs from it, connected piece by piece: pieces that
// belong to the lines are glyphs, pieces that run on far beyond them are outlines and art. What of these lies in the lines is a
// glyph that touches them, but not where it is the outline itself, which parts the lines from what lies beyond it. The paper between
// the dots and strokes of a texture is no ground: they go on behind the lettering.
//
// Elsewhere, and for drawn sounds everywhere, lettering is told from art by its style. Each frequent color inside the lines is
// tried for the fill of glyphs: its pieces have to be as wide as strokes, sharply bounded, and, where one color runs around
// most of them, outlined by it. The style that explains most contour with most contrast wins. Its outline is measured in
// eight directions, because a drop shadow makes it wider on one side, and because the color of an outline alone would run on
// into dark art. Other colors join when they are fill within the same outline, or the outline itself.
//
// A sound that is drawn over and over (an applause) is one pile of lettering, of which a reader finds some. Where lettering with an
// outline was found, glyphs beyond its lines that repeat one of its glyphs, and stand next to each other, go with it.
//
// Glyphs are then grown by class. On a ground growth costs nothing and has to wipe the ringing that JPEG leaves around
// a glyph, which reaches a block (8 pixels) and a little more; it stops short of outlines and art. On art each pixel of
// growth is a pixel to invent, so that only the anti-aliased rim is taken.
package mask
