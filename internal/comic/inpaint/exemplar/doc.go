// Package exemplar continues texture and structure into holes by what the rest of the picture looks like.
//
// Every patch that touches the hole seeks the known patch most like it, and the pixels of the hole become what the
// patches found for them say together (Wexler, Shechtman, Irani: Space-Time Completion of Video, 2007). Patches are found
// as in PatchMatch (Barnes, Shechtman, Finkelstein, Goldman, 2009): a good find is tried for its neighbors, and chance finds
// the first. This is repeated from a small picture, in which the hole is a few pixels wide and one patch spans the
// structure around it, to the full one. What the finds differ from the pixels beside the hole is then evened out
// over the hole by a membrane, so that no seam shows (Pérez, Gangnet, Blake: Poisson Image Editing, 2003).
//
// Chance comes from a generator with a given seed: the same crop and seed give the same pixels.
package exemplar
