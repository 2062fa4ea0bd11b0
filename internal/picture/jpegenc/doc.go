// Package jpegenc writes baseline JPEG files (ITU-T T.81) with a choice that the standard library's encoder does not give:
// how chroma is sampled, and by which tables coefficients are quantized. A picture that was decoded from a JPEG and is
// written with the sampling and the tables of that file comes out, where nobody drew on it, with nearly the
// coefficients that it had: quantizing a multiple of a step by the same step gives it back.
//
// To that end the transform is exact: its numbers are integers that are rounded once, by the quantization. So a picture also
// gives the same bytes on every machine. The codes are the best for the picture's own symbols (annex K.2), and there are
// no restarts.
package jpegenc
