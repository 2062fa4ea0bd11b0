// Package neural paints holes in art with ONNX models, under three contracts. All take a picture in red, green and blue
// [1,3,H,W] and a mask [1,1,H,W], and give a picture:
//
//	lama   0..1, mask 1 in the hole; sides are multiples of 64, or what the file fixes. Some files give 0..255 instead
//	       of 0..1: which, shows when the model is warmed.
//	aot    -1..1, mask 1 in the hole; sides are multiples of 8.
//	migan  bytes, mask 0 in the hole and 255 elsewhere; any size.
//
// The model sees the hole with a margin. What is barred is a hole to it too. A crop larger than the model takes is scaled
// down, and only the hole takes the answer, scaled up again.
package neural
