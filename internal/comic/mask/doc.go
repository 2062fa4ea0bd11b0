// Package mask finds the pixels of lettering, so that they can be erased without touching what lies around them.
//
// It starts from the colors of the page, not from boxes. Around each region the color of the ground is looked up. Where
// the ground is flat (a bubble, a caption), ink is whatever differs from it, connected piece by piece: pieces that
// belong to the lines are glyphs, pieces that run on far beyond them are outlines and art. Where it is not, ink is what
// has the colors that are frequent inside the lines and rare around them.
//
// Glyphs are then grown by class. On flat ground growth costs nothing and has to wipe the ringing that JPEG leaves around
// a glyph, which reaches a block (8 pixels) and a little more; it stops short of outlines and art. On art each pixel of
// growth is a pixel to invent, so that only the anti-aliased rim is taken.
package mask
