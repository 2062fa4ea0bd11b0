// Package edge continues straight edges across holes: the frames of panels, the outlines of buildings, speed lines.
//
// The edges beside a hole vote for the straight lines that they lie on (Duda and Hart, Use of the Hough Transformation to
// Detect Lines and Curves in Pictures, 1972). Where a line enters the hole at one side and leaves it at another, with the same
// contrast, the narrow band around it is painted with what the two ends look like. Nothing is extended that only one side
// shows.
//
// A line with paper on one side and art on the other is the border of a panel. The art differs along it, so that the two ends of a
// gap are not alike; what the hole takes of the gutter gets the color of the paper, which the art beside it is not
// painted from.
package edge
