package window

import "plait/internal/onnx"

// Clear sets one state of a checkpoint to zeros.
func Clear(c Checkpoint, name string) {
	c.tensors[name] = onnx.NewTensor(c.tensors[name].Shape...)
}
