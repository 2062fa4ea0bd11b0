// Package window streams a video of any length through a network that keeps state from window to window, on one device or two.
//
// # The model
//
// A [Manifest] names the ONNX files of a streaming model. A window of low-quality frames passes three stages:
//
//	prepare  frames [n,3,h,w] -> hidden               projects the frames
//	blocks   hidden -> hidden, any number of them     the network, which can be cut between any two blocks
//	decode   hidden, frames [m,3,h,w] -> frames       enlarges; frames are the low-quality frames of its outputs
//	color    frames, reference [m,3,h,w] -> frames    optional; the last part of decode
//
// Frames are float32 from 0 to 1 in the order red, green, blue. Each file may have named state: an input state.NAME and an output
// state.NAME', which becomes the input for the next window. Before the first window, state is zeros in the shape of the manifest, in which
// a dimension may be 0. The manifest can bound the length of a state along one axis: a cache of keys and values of attention keeps its
// last chunks.
//
// The geometry of windows is that of the manifest. FlashVSR, for example, takes 25 frames for its first window and returns 21; each later
// window takes 8 more and returns 8, four frames behind. The package repeats the last frame of a video until its last window is full, and
// drops the frames that come of it.
//
// # State in order
//
// State can be read and written only through a [Window], and a window is only made from the window before it, whose new state is its old
// state. No schedule can therefore run a block on window t+1 before it has run on window t, use a state twice, or mix two windows.
//
// # Schedules
//
// All three schedules return the same bytes on a CPU, for every cut:
//
//	Sequential  one stage at a time
//	Basic       device 0 prepares window t+1 and runs its first blocks while device 1 ends window t
//	Aggressive  as Basic, and prepares window t+2 at the same time, on a device of its own where there is one
//
// With the times a (prepare), b (first blocks) and c (other blocks, decode) of a window, N windows take N(a+b+c), or
// (a+b+c)+(N-1)max(a+b,c), or (a+b+c)+(N-1)max(a,b,c). [Profile] measures the times, [Profile.BestCut] chooses the cut, and [Profile.Predict]
// gives the timeline before the run.
package window
