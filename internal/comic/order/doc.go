// Package order puts the regions of a page into reading order.
//
// A page is divided into panels along its gutters: strips of paper that run from one side of a rectangle to the other.
// The largest rectangle is divided across first, then each part downwards, and so on (recursive XY cut, Nagy and Seth,
// 1984). Parts one below the other are read downwards; parts side by side in the reading direction of the language. Inside
// a panel the same cut is made between the boxes of the regions; those that no cut parts are read in rows.
package order
