// Package order puts the regions of a page into reading order.
//
// A page is divided into panels along its gutters: strips of paper that run from one side of an area to the other, level,
// upright or slanted by up to some twenty degrees. The largest area is divided across first, then each part downwards, and
// so on (recursive XY cut, Nagy and Seth, 1984). Parts one below the other are read downwards; parts side by side in the
// reading direction. What stands in a gutter or a margin, such as narration between two rows, is read between what it
// stands between. The blank inside of a framed panel is no gutter. Where two strips of four even panels stand side by side and
// are read from right to left, each strip is read downwards. A framed panel that is inset into another is read as one, between
// what stands around it. Inside a panel the same cut is made between the boxes of the regions; those that no cut parts are read
// in rows. Page furniture comes last: it is no part of the story.
package readingorder
