// Package raster holds what image steps share: points, outlines and colors in pixels.
package raster
