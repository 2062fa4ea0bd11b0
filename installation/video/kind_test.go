package videoinstallation

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/config"
	"plait/internal/video/comfyui/comfytest"
)

// The doctor examines the workflows that a catalog names.
func TestWorkflowsOfTheCatalogAreExamined(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ kind, workflow, says string }{
		"good":            {"text_to_video", comfytest.Workflow, ""},
		"with an image":   {"image_to_video", comfytest.ImageWorkflow, ""},
		"missing":         {"text_to_video", "", "no such file"},
		"no workflow":     {"text_to_video", "[]", "no JSON object of nodes"},
		"of another type": {"image_to_video", comfytest.Workflow, "of type image_to_video alone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "catalog.yaml")
			require.NoError(t, os.WriteFile(path, []byte(`
engines: [{name: studio, protocol: comfyui, servers: [http://gpu-3:8188]}]
models: [{name: wan, engine: studio, workflow: wan.json, frame_rate: 16, types: [`+tc.kind+`], resolutions: [480P], durations: [5]}]
`), 0o600))
			if tc.workflow != "" {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "wan.json"), []byte(tc.workflow), 0o600))
			}
			var l config.Loaded
			l.Video.Catalog, l.Video.FFmpeg = path, filepath.Join(dir, "ffmpeg")
			_, remedy, err := checks(&l, false)[0].Examine(t.Context())
			if tc.says == "" {
				require.Equal(t, "correct video.ffmpeg", remedy)
				return
			}
			require.Equal(t, "correct the workflows that the file of video.catalog names", remedy)
			require.ErrorContains(t, err, tc.says)
			require.ErrorContains(t, err, `model "wan"`)
		})
	}
}
