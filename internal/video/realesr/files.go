package realesr

import (
	"os"

	"plait/internal/assets"
	"plait/internal/core"
	"plait/internal/video/window"
)

// Open returns the model from the files that `make assets-upscale` put beside the asset folder base (empty: beside the program).
//
// Errors: CodeModelMissing when they are missing or are not those of the manifest; CodeInvalidInput for a scale other than 2 or 4.
func Open(base string, o Options) (window.Manifest, error) {
	name := assets.UpscaleX2
	switch o.Scale {
	case 2:
	case shuffle:
		name = assets.UpscaleX4
	default:
		return window.Manifest{}, core.Errorf(core.CodeInvalidInput, "%s enlarges video 2 or 4 times, not %d times", Name, o.Scale)
	}
	param, err := read(base, name)
	if err != nil {
		return window.Manifest{}, err
	}
	bin, err := read(base, assets.UpscaleWeights)
	if err != nil {
		return window.Manifest{}, err
	}
	return Model(param, bin, o)
}

// read returns the content of a file that is the one of the manifest.
func read(base, name string) ([]byte, error) {
	set, err := assets.Upscale.Open(base)
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, Name+" is missing: run `make assets-upscale`")
	}
	file, err := set.File(name)
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, Name+" is not available on this platform")
	}
	path, err := set.Path(name)
	if err == nil {
		err = assets.VerifyFile(file, path)
	}
	var content []byte
	if err == nil {
		content, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, "the files of "+Name+" are not the pinned ones")
	}
	return content, nil
}
