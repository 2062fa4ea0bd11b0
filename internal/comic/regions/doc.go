// Package regions joins lines of text into the regions of a page.
//
// # Which lines belong together
//
// Two lines may belong together when they run in one direction, their sizes are within a factor of 2, their angles
// within 15 degrees, and no more than about one size of blank lies between them. Geometry alone joins bubbles that touch,
// so the picture has a say: two lines are apart when an outline runs between them, or when the colors around
// them differ. Lines drawn with an outline, sounds and shouts, join none without. The pairs that are left make minimum
// spanning trees over the page, and an edge far longer than is usual on the page is cut. What stays connected is a region.
//
// # What is measured
//
// Direction is that of most characters. The color around the glyphs is the most frequent one inside the lines; the color of
// the glyphs is the most frequent one that stands out from it. A region is dialogue when it stands in a flat area
// that has an end, and free otherwise.
//
// Bubbles that run into each other without an outline are told by their lines: those of each are centered on a middle of
// their own. Free lettering that is large or slanted is a sound effect when it writes a sound, or when it was not read with
// confidence: then its region is marked unread and has no text. Page numbers and credits in the margins are
// furniture, and web addresses that stand alone.
//
// Furigana, small kana above a line with kanji or to the right of such a column, is kept apart from the text of its region.
//
// What holds no letter and no digit, and what was read with too little certainty, is no region.
package regions
