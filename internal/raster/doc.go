// Package raster holds the pixel primitives that the engines share: points and outlines, colors and their distances, and the
// sampling of an image. Its sub-packages are each one algorithm of the field:
//
//   - bitmap: sets of pixels in page coordinates, their morphology and distance transform
//   - components: connected components
//   - integral: sums over rectangles
//   - unionfind: disjoint sets, for grouping
//
// Images are [image.NRGBA] whose bounds begin at (0, 0). Places are in pixels of the page, x to the right and y down; a pixel (x, y)
// covers the square from x, y to x+1, y+1. Colors are sRGB, 0..255 a channel.
package raster
