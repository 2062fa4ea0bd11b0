// Package textarea finds where lettering has room on an erased page: the inside of its bubble or caption, its lobe of a
// joined bubble, or, over art, the box of its lines.
//
// A text area lives in the local frame of its text, in which lines run along x and stack along y: the page itself, the page
// turned so that columns are lines, or the page rotated with a slanted text. Lengths are pixels.
package textarea
