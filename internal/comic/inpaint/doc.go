// Package inpaint fills the holes that lettering leaves, each by what lies behind it.
//
// A hole on a flat ground gets the ground's exact color. So does any hole whose surroundings agree on one color. Where the
// surroundings change evenly, it gets a membrane, which continues gradients seamlessly and invents no texture. Holes in
// art come last: straight edges that cross them are continued first (frames, outlines), which may leave pieces that are flat or
// smooth; the rest is painted, by exemplar or by a model (package neural). In a texture no edge is told from its marks.
//
//	crop       the piece of a page that a fill works on
//	edge       continues straight edges
//	membrane   the smoothest surface
//	exemplar   texture and structure from the rest of the crop
//	neural     models
//
// Nothing outside the mask changes, and the same input gives the same bytes on any number of threads: holes near to each
// other are filled together, and from the rest of the page alone, whatever is filled beside them.
package inpaint
