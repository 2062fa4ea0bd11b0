package video_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/video"
)

func TestSizesKeepTheAspectRatio(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		resolution              video.Resolution
		width, height, multiple int
		want                    [2]int
	}{
		{video.Resolution720, 1920, 1080, 2, [2]int{1280, 720}},
		{video.Resolution1080, 1080, 1920, 2, [2]int{1080, 1920}},
		{video.Resolution480, 1000, 1000, 2, [2]int{632, 632}},
		{video.Resolution480, 832, 480, 16, [2]int{832, 480}},
		{video.Resolution480, 720, 1024, 16, [2]int{528, 752}},
		{video.Resolution480, 2000, 360, 2, [2]int{1490, 268}},
	} {
		w, h := c.resolution.Size(c.width, c.height, c.multiple)
		require.Equal(t, c.want, [2]int{w, h}, "%+v", c)
	}
}

const catalog = `
engines:
  - name: gpus
    protocol: openai
    servers: [http://gpu-1:8000, http://gpu-2:8000]
    slots: 2
models:
  - name: wan2.1
    engine: gpus
    types: [text_to_video, image_to_video]
    resolutions: [480P, 720P]
    durations: [5]
    multiple: 16
    price: {second: 0.05, video: 0.1}
`

func TestACatalogAlwaysHasTheEmbeddedEngines(t *testing.T) {
	t.Parallel()
	c, err := video.ParseCatalog([]byte(catalog))
	require.NoError(t, err)
	require.Equal(t, []string{"motion", "realesr-animevideov3", "wan2.1"}, c.ModelNames())
	m, found := c.Model("wan2.1")
	require.True(t, found)
	require.Equal(t, "gpus", m.Engine)
	require.InDelta(t, 0.35, video.Amount(m.Price.Micros(5)), 1e-9)
	require.Equal(t, 2, c.Engines[2].Slots)
	empty, err := video.ParseCatalog(nil)
	require.NoError(t, err)
	require.Equal(t, []string{"motion", "realesr-animevideov3"}, empty.ModelNames())
}

const comfyCatalog = `
engines: [{name: studio, protocol: comfyui, servers: [http://gpu-3:8188]}]
models:
  - name: wan2.2
    engine: studio
    workflow: w.json
    frame_rate: 16
    types: [text_to_video]
    resolutions: [480P]
    durations: [5]
`

func TestAWorkflowIsBesideTheCatalog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "catalog.yaml")
	require.NoError(t, os.WriteFile(path, []byte(comfyCatalog), 0o600))
	c, err := video.OpenCatalog(path)
	require.NoError(t, err)
	m, found := c.Model("wan2.2")
	require.True(t, found)
	require.Equal(t, filepath.Join(filepath.Dir(path), "w.json"), m.Workflow)
	require.Equal(t, "wan2.2", m.AtServer())
}

func TestCatalogsThatAreRefused(t *testing.T) {
	t.Parallel()
	for text, what := range map[string]string{
		"engine: x": "field engine not found",
		"engines: [{name: motion, protocol: motion}]":                                                                         "twice",
		"engines: [{name: A, protocol: openai, servers: [http://a]}]":                                                         "name",
		"engines: [{name: a, protocol: smoke, servers: [http://a]}]":                                                          "protocol",
		"engines: [{name: a, protocol: openai}]":                                                                              "0 servers",
		"engines: [{name: a, protocol: openai, servers: [gpu-1]}]":                                                            "not a URL",
		"engines: [{name: a, protocol: openai, servers: [http://a, http://a]}]":                                               "twice",
		"engines: [{name: other, protocol: upscale}]":                                                                         "protocol",
		"models: [{name: m, engine: upscale, types: [video_upscale], resolutions: [480P], durations: [5]}]":                   "a model of its own",
		"models: [{name: m, engine: motion, types: [video_upscale], resolutions: [480P], durations: [5]}]":                    "type",
		"models: [{name: m, engine: none}]":                                                                                   "no engine",
		"models: [{name: m, engine: motion}]":                                                                                 "missing",
		"models: [{name: m, engine: motion, types: [text], resolutions: [480P], durations: [5]}]":                             "type",
		"models: [{name: m, engine: motion, types: [image_to_video], resolutions: [4K], durations: [5]}]":                     "resolution",
		"models: [{name: m, engine: motion, types: [image_to_video], resolutions: [480P], durations: [0]}]":                   "duration",
		"models: [{name: m, engine: motion, types: [image_to_video], resolutions: [480P], durations: [5], multiple: 3}]":      "multiple",
		"models: [{name: motion, engine: motion, types: [image_to_video], resolutions: [480P], durations: [5], multiple: 2}]": "twice",
		"models: [{name: m, engine: motion, types: [image_to_video], resolutions: [480P], durations: [5], workflow: w.json}]": "only models of comfyui",
		strings.Replace(catalog, "second: 0.05", "second: -1", 1):                                                             "price",
		strings.Replace(catalog, "second: 0.05", "second: .nan", 1):                                                           "price",
		strings.Replace(comfyCatalog, "workflow: w.json", "", 1):                                                              "workflow is missing",
		strings.Replace(comfyCatalog, "frame_rate: 16", "", 1):                                                                "frame_rate 0",
		strings.Replace(comfyCatalog, "frame_rate: 16", "frame_rate: 121", 1):                                                 "frame_rate 121",
	} {
		_, err := video.ParseCatalog([]byte(text))
		require.ErrorContains(t, err, what, text)
	}
}

func FuzzCatalog(f *testing.F) {
	f.Add(catalog)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := video.ParseCatalog([]byte(text))
		if err != nil {
			return
		}
		for _, m := range c.Models {
			if len(m.Scales) > 0 {
				continue
			}
			w, h := m.Resolutions[0].Size(16, 9, m.Multiple)
			require.Positive(t, w)
			require.Positive(t, h)
		}
	})
}
