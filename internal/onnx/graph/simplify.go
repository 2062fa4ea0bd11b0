package graph

// Simplify returns a model with the same ports and, but for rounding, the same outputs, which a CPU computes faster: transposed
// convolutions without overlap are computed on the picture that they enlarge (see [enlargement]), and channels fill blocks, the number of
// values that the CPU computes at once (see [bundle]). A file that is not a model, or that has nothing of this kind, is returned as it is.
func Simplify(model []byte, block int) []byte {
	f, err := parseFile(model)
	if err != nil {
		return model
	}
	f.dropIdentities()
	enlarged := f.enlarge()
	if padded := f.padChannels(int64(block)); !enlarged && !padded {
		return model
	}
	return f.bytes()
}
