// Package upscale enlarges a video file: it reads the frames, streams them in windows through a model, writes what comes out in segments,
// and joins the segments with the sound and the times of the source.
//
// Segments and the state of the model are blobs. A [Progress] names those of a point between two segments, and a run goes on from it, in
// another process or on another machine that has the same store: the file is byte for byte that of a run that was never interrupted.
// Segments always have the same windows; state is stored after a segment as often as it costs less than a fixed part of the time.
//
// Kept are sound, the time of each frame, the tags of colors, and which side is up; turned frames are stored upright. Frames are 8 bits
// deep. Interlaced and HDR video is refused.
package upscale
