package comfyui_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/video"
	"plait/internal/video/comfyui"
	"plait/internal/video/comfyui/comfytest"
	"plait/internal/video/remote"
	"plait/internal/video/remote/remotetest"
)

func newEngine(t *testing.T, server *comfytest.Server, workflow string) *remote.Engine {
	t.Helper()
	w, err := comfyui.ParseWorkflow(strings.NewReader(workflow), 16)
	require.NoError(t, err)
	return remotetest.New(t, func(base string) remote.Server {
		return comfyui.Open(base, "", map[string]comfyui.Workflow{"remote/wan": w})
	}, server.URL)
}

func TestAServerMakesAVideo(t *testing.T) {
	t.Parallel()
	server := comfytest.New(t)
	e, w := newEngine(t, server, comfytest.Workflow), remotetest.NewWork(t)
	w.Options.NegativePrompt = `a "quoted" {{seed}}`
	require.NoError(t, e.Generate(t.Context(), w.Job))
	w.Check(t)
	require.Contains(t, w.Percents, 70, "three of five nodes, and half of one")
	require.Equal(t, w.TaskID, w.Recorded.ID)
	require.Equal(t, "a whale, best quality", server.Inputs("1")["text"])
	require.Equal(t, w.Options.NegativePrompt, server.Inputs("2")["text"])
	require.Equal(t, map[string]any{"width": 128.0, "height": 96.0, "length": 33.0, "batch_size": 1.0}, server.Inputs("3"))
	require.InDelta(t, 7, server.Inputs("4")["seed"], 0)
	require.NoError(t, e.Forget(t.Context(), w.Job))
	created, left := server.Counts()
	require.Equal(t, []int{1, 0}, []int{created, left})
	require.Empty(t, server.Interrupted(), "another prompt may run")
}

func TestAnImageIsUploaded(t *testing.T) {
	t.Parallel()
	server := comfytest.New(t)
	e, w := newEngine(t, server, comfytest.ImageWorkflow), remotetest.NewWork(t)
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))))
	w.Image = func(context.Context) ([]byte, error) { return picture.Bytes(), nil }
	require.NoError(t, e.Generate(t.Context(), w.Job))
	w.Check(t)
	name, _ := server.Inputs("1")["image"].(string)
	require.Equal(t, "uploads/plait-task.png", name)
	require.Equal(t, picture.Bytes(), server.Image(name))
}

// Each lie costs at most one more attempt, and no lie runs a prompt twice while the first exists.
func TestServersThatLie(t *testing.T) {
	t.Parallel()
	for lie, want := range map[comfytest.Lie]struct {
		code    core.Code
		created int
		says    string
	}{
		comfytest.Busy:    {core.CodeEngineUnavailable, 1, "too much to do"},
		comfytest.Broken:  {core.CodeEngineUnavailable, 1, ""},
		comfytest.Refused: {core.CodeEngineRefused, 1, "Value not in list"},
		comfytest.Mute:    {core.CodeEngineUnavailable, 1, ""},
		comfytest.Lost:    {core.CodeEngineUnavailable, 2, "lost a job"},
		comfytest.Failed:  {core.CodeDevice, 2, "CUDA error"},
		comfytest.Cut:     {core.CodeEngineUnavailable, 1, ""},
	} {
		t.Run(string(lie), func(t *testing.T) {
			t.Parallel()
			server := comfytest.New(t, lie)
			e, w := newEngine(t, server, comfytest.Workflow), remotetest.NewWork(t)
			err := e.Generate(t.Context(), w.Job)
			require.Equal(t, want.code, core.CodeOf(err), "%v", err)
			require.Contains(t, core.PublicMessage(err), want.says)
			require.NotContains(t, core.PublicMessage(err), server.URL)
			require.NoError(t, e.Generate(t.Context(), w.Job))
			w.Check(t)
			created, _ := server.Counts()
			require.Equal(t, want.created, created)
		})
	}
}

func TestAWorkflowWithoutAVideoFails(t *testing.T) {
	t.Parallel()
	err := newEngine(t, comfytest.New(t, comfytest.Empty), comfytest.Workflow).Generate(t.Context(), remotetest.NewWork(t).Job)
	require.Equal(t, core.CodeDevice, core.CodeOf(err))
	require.Contains(t, core.PublicMessage(err), "made no video")
}

// A process dies after the server has taken the prompt, and before it has recorded its id, which old servers choose themselves.
func TestARestartFindsThePromptAgain(t *testing.T) {
	t.Parallel()
	server := comfytest.New(t, comfytest.Renamed)
	w := remotetest.NewWork(t)
	w.Dies = func(at video.ServerJob) bool { return at.ID != "" }
	require.ErrorIs(t, newEngine(t, server, comfytest.Workflow).Generate(t.Context(), w.Job), remotetest.ErrDied)
	w.Dies = nil
	require.NoError(t, newEngine(t, server, comfytest.Workflow).Generate(t.Context(), w.Job))
	w.Check(t)
	require.Equal(t, "renamed", w.Recorded.ID)
	created, _ := server.Counts()
	require.Equal(t, 1, created)
}

// A video that is given up while it is made is interrupted, because it runs.
func TestARunningPromptIsInterrupted(t *testing.T) {
	t.Parallel()
	server := comfytest.New(t, comfytest.Endless)
	e, w := newEngine(t, server, comfytest.Workflow), remotetest.NewWork(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.Progress = func(_ context.Context, percent int) error {
		if percent > 0 {
			cancel()
		}
		return nil
	}
	require.ErrorIs(t, e.Generate(ctx, w.Job), context.Canceled)
	require.NoError(t, e.Forget(t.Context(), w.Job))
	require.Equal(t, []string{w.TaskID}, server.Interrupted())
	_, left := server.Counts()
	require.Zero(t, left)
}

func TestWorkflows(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ workflow, says string }{
		"not JSON":         {"[", "no JSON object of nodes"},
		"empty":            {"{}", "0 nodes"},
		"the other format": {`{"nodes": [], "links": []}`, `node "links" has no class_type or no inputs: save the workflow in the API format`},
		"no prompt":        {`{"1": {"class_type": "A", "inputs": {"text": "x"}}}`, "no node has the placeholder {{prompt}}"},
		"unknown":          {`{"1": {"class_type": "A", "inputs": {"text": ["{{prompt}} {{sead}}"]}}}`, "the placeholder {{sead}} is none of {{prompt}}, {{negative_prompt}}"},
		"more":             {`{"1": {"class_type": "A", "inputs": {"text": "{{prompt}}"}}} {}`, "something follows"},
		"large":            {strings.Repeat(" ", 1<<20) + "{}", "more than 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := comfyui.ParseWorkflow(strings.NewReader(tc.workflow), 16)
			require.ErrorContains(t, err, tc.says)
		})
	}
	w, err := comfyui.ParseWorkflow(strings.NewReader(comfytest.ImageWorkflow), 16)
	require.NoError(t, err)
	require.True(t, w.TakesImage())
}

// FuzzWorkflow reads workflows: no bytes end the process.
func FuzzWorkflow(f *testing.F) {
	f.Add([]byte(comfytest.Workflow))
	f.Add([]byte(`{"1": {"class_type": "A", "inputs": {"text": ["{{prompt}}", {"a": "{{image}}{{"}]}}}`))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = comfyui.ParseWorkflow(bytes.NewReader(b), 16)
	})
}
