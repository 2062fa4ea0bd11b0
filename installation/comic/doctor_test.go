package comicinstallation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/config"
	"plait/internal/onnx/graph"
	"plait/internal/onnx/onnxtest"
)

func TestDoctorNamesTheModelsOfTheManifest(t *testing.T) {
	t.Parallel()
	set := assetstest.Open(t)
	file, err := set.File(assets.RecognizeModel)
	require.NoError(t, err)
	path, err := set.Path(assets.RecognizeModel)
	require.NoError(t, err)
	examine := func(sha256 string) schema.Finding {
		manifest := filepath.Join(t.TempDir(), "models.json")
		require.NoError(t, os.WriteFile(manifest, fmt.Appendf(nil, `{"models": [{"name": "again", "kind": "recognizer", "scripts": ["Latin"],
			"license": "Apache-2.0", "source": "the assets", "files": {"model": {"path": %q, "sha256": %q}}}]}`, path, sha256), 0o600))
		l, err := config.Load(config.Sources{Flags: map[string]string{"assets_dir": set.Dir(), "models.manifest": manifest}})
		require.NoError(t, err)
		return deviceOf(t, l)
	}
	good := examine(file.SHA256)
	require.True(t, good.OK, good.Found)
	require.Contains(t, good.Found, "ppocrv6-det-small (detector) on CPUExecutionProvider in float32, rapidocr")
	require.Contains(t, good.Found, "again (recognizer of Latin) on CPUExecutionProvider in float32, the assets, Apache-2.0")

	bad := examine(strings.Repeat("0", 64))
	require.False(t, bad.OK)
	require.Contains(t, bad.Found, `the file of model "again" is not the one of the manifest`)
	require.Contains(t, bad.Remedy, "models.manifest")
}

func TestDoctorNamesAnInpainterWithItsContract(t *testing.T) {
	t.Parallel()
	image, mask := []int64{1, 3, -1, -1}, []int64{1, 1, -1, -1}
	path, digest := onnxtest.Write(t, "lama.onnx", graph.Model{
		Inputs: []graph.Value{{Name: "image", Shape: image}, {Name: "mask", Shape: mask}}, Outputs: []graph.Value{{Name: "output", Shape: image}},
		Nodes: []graph.Node{{Op: "Identity", In: []string{"image"}, Out: []string{"output"}}},
	}.Bytes())
	manifest := filepath.Join(t.TempDir(), "models.json")
	require.NoError(t, os.WriteFile(manifest, fmt.Appendf(nil, `{"models": [{"name": "behind", "kind": "inpainter", "contract": "lama",
		"license": "MIT", "source": "the test", "files": {"model": {"path": %q, "sha256": %q}}}]}`, path, digest), 0o600))
	l, err := config.Load(config.Sources{Flags: map[string]string{"assets_dir": assetstest.Open(t).Dir(), "models.manifest": manifest}})
	require.NoError(t, err)
	found := deviceOf(t, l)
	require.True(t, found.OK, found.Found)
	require.Contains(t, found.Found, "behind (inpainter lama) on CPUExecutionProvider in float32, the test, MIT")
}

func TestDoctorSaysWhatCUDANeeds(t *testing.T) {
	t.Parallel()
	l, err := config.Load(config.Sources{Flags: map[string]string{"assets_dir": assetstest.Open(t).Dir(), "device.kind": "cuda"}})
	require.NoError(t, err)
	found := deviceOf(t, l)
	require.False(t, found.OK, found.Found)
	require.Contains(t, found.Found, `device "cuda" cannot load model "ppocrv6-det-small"`)
	require.Contains(t, found.Remedy, "PLAIT_DEVICE_LIBRARY")
	require.Contains(t, found.Remedy, "cuDNN 9")
}

func deviceOf(t *testing.T, l *config.Loaded) schema.Finding {
	t.Helper()
	return checks(l, false)[0].Run(t.Context())
}

func TestDoctorNamesTheModelThatIsNotChosen(t *testing.T) {
	t.Parallel()
	translator := func(environ ...string) schema.Finding {
		l, err := config.Load(config.Sources{Flags: map[string]string{"data_dir": t.TempDir(), "assets_dir": assetstest.Open(t).Dir()}, Environ: environ})
		require.NoError(t, err)
		return checks(l, false)[1].Run(t.Context())
	}
	found := translator("OPENAI_BASE_URL=http://127.0.0.1:1/v1")
	require.False(t, found.OK, found.Found)
	require.Contains(t, found.Found, "no model")
	require.Equal(t, "set PLAIT_TRANSLATOR_MODEL to a model of http://127.0.0.1:1/v1", found.Remedy)
	found = translator("OPENAI_BASE_URL=http://127.0.0.1:1/v1", "PLAIT_TRANSLATOR_MODEL=small")
	require.True(t, found.OK, found.Found)
	require.Contains(t, found.Found, "openai with model small, of this configuration")
	require.Equal(t, "set PLAIT_TRANSLATOR_MODEL to a model of ollama", translator("PLAIT_TRANSLATOR_PROVIDER=ollama").Remedy)
	found = translator("GEMINI_API_KEY=x", "PLAIT_TRANSLATOR_PROVIDER=anthropic")
	require.False(t, found.OK, found.Found)
	require.Contains(t, found.Remedy, "OPENAI_BASE_URL and PLAIT_TRANSLATOR_MODEL")
}
