// Package tone removes screentone, so that lettering over it can be found and read.
//
// Gray is printed in black and white as a lattice of dots. A model of text takes the dots for strokes and overlooks the
// lettering among them, which a reader sees at once. On the page the dots are what is dark, small, compact and many: pieces of
// ink that are no larger than a dot of the coarsest tone and stand in a crowd, where lettering is of larger pieces. Such pieces
// are given the color of the paper around them. The tick of a voiced kana is as small, but rarely stands in the crowd; where
// it is lost, the line as it stands may still tell it.
//
// A tone so fine that its dots are not told apart is smoothed instead.
package descreen
