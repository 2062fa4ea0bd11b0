// Package overlay draws what was read onto a page, for people who check it: a box around each region, the outline of
// each line, the place in reading order in a badge, and a label with kind, direction, language, confidence and text.
//
// The picture keeps the size of the page, so that it can be laid over it. The page is paled, and labels go where they
// cover no lettering as long as such a place is near.
package overlay
