package realesr

import (
	"plait/internal/onnx/graph"
	"plait/internal/video/window"
)

// Parameters of [temporal], as parts of the range of a color. They are chosen on drawn clips with noise of 2 to 6 levels of 255.
const (
	// Where the low-quality frame differs by less than stillBelow from the running one, it is still; by more than movesAbove, it moves.
	stillBelow, movesAbove = 6.0 / 255, 16.0 / 255
	// keepStill is the part of the frame before that remains where nothing moves: noise there becomes 0.23 times as strong.
	keepStill = 0.7
	// A mean difference of all pixels from cutBelow on is less and less the same scene, and from cutAbove on another one.
	cutBelow, cutAbove = 0.10, 0.15
	// keepColor is the part of the running correction of colors that remains with each frame.
	keepColor = 0.9
)

// temporal returns the stage that connects frames: result = frame + w * (result before - frame).
//
//   - w is keepStill where the low-quality frame is as the running mean of those before, from averages over 3x3 pixels so that noise does
//     not count, and the largest difference over 5x5 so that the surroundings of what moves count as moving.
//   - In a new scene, w is 0 and the running values begin anew.
//   - The mean of each color is moved to that of the low-quality frame, by a running mean of the difference.
//
// State: the running low-quality frame, the result before, the running correction of colors, and 1 after the first frame.
func temporal(scale int) *window.Graph {
	b := builder{}
	b.in("frames", -1, 3, -1, -1)
	b.in("reference", -1, 3, -1, -1)
	b.in("state.reference", 1, 3, -1, -1)
	b.in("state.result", 1, 3, -1, -1)
	b.in("state.color", 1, 3, 1, 1)
	b.in("state.seen", 1, 1, 1, 1)

	b.op("Sub", "difference", "reference", "state.reference")
	b.op("Abs", "distance", "difference")
	b.mean("distances", "distance", 1, 2, 3)
	b.ramp("same scene", "distances", cutAbove, cutBelow)
	b.op("Mul", "goes on", "same scene", "state.seen")

	b.pool("AveragePool", "smooth", "difference", 3)
	b.op("Abs", "moved", "smooth")
	b.max("most", "moved", 1)
	b.pool("MaxPool", "around", "most", 5)
	b.ramp("still", "around", movesAbove, stillBelow)
	b.op("Mul", "still here", "still", "goes on")
	b.op("Mul", "keep", "still here", b.constant(keepStill))
	b.mix("state.reference'", "reference", "state.reference", "keep")

	b.mean("wanted", "reference", 2, 3)
	b.mean("have", "frames", 2, 3)
	b.op("Sub", "off", "wanted", "have")
	b.op("Mul", "keep color", "goes on", b.constant(keepColor))
	b.mix("state.color'", "off", "state.color", "keep color")
	b.op("Add", "corrected", "frames", "state.color'")

	b.m.Initializers = append(b.m.Initializers, graph.Tensor{Name: "scales", Shape: []int64{4}, Floats: []float32{1, 1, float32(scale), float32(scale)}})
	b.m.Nodes = append(b.m.Nodes, graph.Node{Op: "Resize", In: []string{"keep", "", "scales"}, Out: []string{"keep large"}, Attributes: map[string]any{"mode": "linear"}})
	b.mix("state.result'", "corrected", "state.result", "keep large")
	b.op("Identity", "result", "state.result'")
	b.op("Identity", "state.seen'", b.constantOf([]int64{1, 1, 1, 1}, 1))

	b.out("result", -1, 3, -1, -1)
	b.out("state.reference'", 1, 3, -1, -1)
	b.out("state.result'", 1, 3, -1, -1)
	b.out("state.color'", 1, 3, 1, 1)
	b.out("state.seen'", 1, 1, 1, 1)
	return &window.Graph{Content: b.m.Bytes(), State: []window.State{
		{Name: "reference", Shape: dimensions("1", "3", "height", "width")},
		{Name: "result", Shape: dimensions("1", "3", times("height", scale), times("width", scale))},
		{Name: "color", Shape: dimensions("1", "3", "1", "1")},
		{Name: "seen", Shape: dimensions("1", "1", "1", "1")},
	}}
}
