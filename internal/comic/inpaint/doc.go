// Package inpaint fills the holes that lettering leaves, by what lies behind it.
//
// A hole on a flat ground gets the ground's exact color. So does any hole whose surroundings agree on one color. The
// rest gets a membrane: the smoothest surface that meets the pixels around the hole, which continues gradients
// seamlessly and invents no texture.
//
// Nothing outside the mask changes, and the same input gives the same bytes.
package inpaint
