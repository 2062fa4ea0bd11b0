package window

import (
	"errors"
	"fmt"

	"plait/internal/core"
	"plait/internal/onnx"
)

// Geometry says how many frames a window takes and returns.
type Geometry struct {
	// First is the number of frames that the first window takes, and FirstOut the number that it returns, which is not greater. The
	// difference is the look-ahead: output is so many frames behind input.
	First    int `json:"first"`
	FirstOut int `json:"first_out"`
	// Next is the number of frames that each later window takes, and returns.
	Next int `json:"next"`
}

// maxWindowFrames bounds the frames of a window.
const maxWindowFrames = 1024

func (g Geometry) check() error {
	switch {
	case g.First < 1 || g.First > maxWindowFrames || g.Next < 1 || g.Next > maxWindowFrames:
		return fmt.Errorf("first and next are 1 to %d", maxWindowFrames)
	case g.FirstOut < 1 || g.FirstOut > g.First:
		return errors.New("first_out is 1 to first")
	default:
		return nil
	}
}

// LookAhead returns how many frames output is behind input.
func (g Geometry) LookAhead() int { return g.First - g.FirstOut }

// Windows returns the number of windows for a video of this many frames.
func (g Geometry) Windows(frames int) int {
	if frames <= 0 {
		return 0
	}
	return 1 + (max(frames-g.FirstOut, 0)+g.Next-1)/g.Next
}

// Begin returns the index of the first frame that a window returns. The index of a window is 0 or greater.
func (g Geometry) Begin(window int) int {
	if window == 0 {
		return 0
	}
	return g.FirstOut + (window-1)*g.Next
}

// in and out return the numbers of frames that a window takes and returns.
func (g Geometry) in(window int) int {
	if window == 0 {
		return g.First
	}
	return g.Next
}

func (g Geometry) out(window int) int {
	if window == 0 {
		return g.FirstOut
	}
	return g.Next
}

// Size is the size of a frame in pixels.
type Size struct{ Width, Height int }

func (s Size) String() string { return fmt.Sprintf("%dx%d", s.Width, s.Height) }

// Times returns the size n times as wide and high.
func (s Size) Times(n int) Size { return Size{Width: s.Width * n, Height: s.Height * n} }

// channels is the number of color channels of a frame.
const channels = 3

// elements returns the number of values of one frame.
func (s Size) elements() int { return channels * s.Width * s.Height }

// frames returns a tensor of n frames.
func (s Size) frames(n int, data []float32) onnx.Tensor {
	return onnx.Tensor{Shape: []int64{int64(n), channels, int64(s.Height), int64(s.Width)}, Data: data[:n*s.elements()]}
}

// upTo returns the size of frames that are continued to multiples of n.
func (s Size) upTo(n int) Size {
	return Size{Width: (s.Width + n - 1) / n * n, Height: (s.Height + n - 1) / n * n}
}

// check compares frames with the size.
func (s Size) check(t onnx.Tensor) error {
	if len(t.Shape) != 4 || t.Shape[1] != channels || t.Shape[2] != int64(s.Height) || t.Shape[3] != int64(s.Width) {
		return core.Errorf(core.CodeInvalidInput, "frames of %s are expected, not a tensor of the shape %v", s, t.Shape)
	}
	return nil
}

// resize copies planes from frames of one size into frames of another: it crops them at the right and lower edges, or continues their
// last column and row.
func resize(from onnx.Tensor, size, to Size) onnx.Tensor {
	if size == to {
		return from
	}
	n := int(from.Shape[0])
	result := to.frames(n, make([]float32, n*to.elements()))
	for plane := range n * channels {
		for y := range to.Height {
			source := from.Data[(plane*size.Height+min(y, size.Height-1))*size.Width:][:size.Width]
			target := result.Data[(plane*to.Height+y)*to.Width:][:to.Width]
			for x := copy(target, source); x < to.Width; x++ {
				target[x] = source[size.Width-1]
			}
		}
	}
	return result
}
