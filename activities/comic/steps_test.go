package comic_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate/translatetest"
)

var (
	twoLines = enginetest.Page("line 0", "line 1")
	lettered = string(enginetest.Rendered(translatetest.Bracketed, "line 0", "line 1"))
)

func TestThreeStepsMakeAPage(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)

	found := r.detect(p)
	require.Equal(t, p.Blob, found.ImageHash)
	require.Equal(t, hostQueue, found.HostQueue)
	require.Equal(t, 300, found.TTLSeconds)
	require.Len(t, found.Regions, 2)
	require.Equal(t, comic.StageDetect, r.row(p).Stage)

	translated := r.translate(p, found)
	require.Equal(t, translations(2), translated.Translations)
	require.Equal(t, 1, translated.Paid)

	output, err := call[comic.PageOutput](r.env, comic.StepRender, renderInput(p, found, translated.Translations))
	require.NoError(t, err)
	require.Equal(t, lettered, r.bytes(output.Result))
	require.Equal(t, r.row(p).Output(), output)
	require.Equal(t, core.StatusSuccess, r.row(p).Status)
	require.Zero(t, r.leases.Stats().Leases, "dropped after success")
}

func TestEveryStepMayRunTwice(t *testing.T) {
	t.Parallel()
	t.Run("detect leaves a new context", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		p := r.page(twoLines)
		first, second := r.detect(p), r.detect(p)
		require.NotEqual(t, first.LeaseID, second.LeaseID)
		require.Equal(t, first.Regions, second.Regions)
	})
	t.Run("detect without text", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		p := r.page(enginetest.Page())
		first, second := r.detect(p), r.detect(p)
		require.Equal(t, first, second)
		require.Empty(t, first.Regions)
		require.Empty(t, first.LeaseID)
		require.Equal(t, 1, r.engine.Detects())
		require.Equal(t, comic.PageOutput{
			Result: p.Blob, Mode: comic.ModeSplit, NoChangeReason: comic.NoText, Elapsed: first.Elapsed,
		}, r.row(p).Output())
	})
	t.Run("translate pays once", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		p := r.page(twoLines)
		found := r.detect(p)
		first, second := r.translate(p, found), r.translate(p, found)
		require.Equal(t, first.Translations, second.Translations)
		require.Equal(t, [2]string{"bracket", "square"}, [2]string{second.Provider, second.Model})
		require.Zero(t, second.Paid)
		require.Equal(t, 1, r.model.Calls())
	})
	t.Run("render answers what it made", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		p := r.page(twoLines)
		in := renderInput(p, r.detect(p), translations(2))
		first, err := call[comic.PageOutput](r.env, comic.StepRender, in)
		require.NoError(t, err)
		second, err := call[comic.PageOutput](r.env, comic.StepRender, in)
		require.NoError(t, err, "not CACHE_MISS")
		require.Equal(t, first, second)
		require.Equal(t, 1, r.engine.Renders())
	})
	t.Run("page answers what it made", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		in := comic.PageInput{Page: r.page(twoLines), Options: options, Mode: comic.ModeUnified}
		first, err := call[comic.PageOutput](r.env, comic.StepPage, in)
		require.NoError(t, err)
		second, err := call[comic.PageOutput](r.env, comic.StepPage, in)
		require.NoError(t, err)
		require.Equal(t, first, second)
		require.Equal(t, 1, r.engine.Renders())
		require.Equal(t, 1, r.model.Calls())
	})
}

func TestAUnifiedPageThatFailedToRenderDoesNotPayAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	fail := true
	r.engine.Before = func(_ context.Context, stage core.Stage, _ []byte) error {
		if stage == comic.StageRender && fail {
			return core.NewError(core.CodeDevice, "inference failed")
		}
		return nil
	}
	in := comic.PageInput{Page: r.page(twoLines), Options: options, Mode: comic.ModeUnified}
	_, err := call[comic.PageOutput](r.env, comic.StepPage, in)
	code, again := failed(t, err)
	require.Equal(t, core.CodeDevice, code)
	require.True(t, again)
	fail = false
	output, err := call[comic.PageOutput](r.env, comic.StepPage, in)
	require.NoError(t, err)
	require.Equal(t, lettered, r.bytes(output.Result))
	require.Equal(t, 1, r.model.Calls())
}

func TestAllModesMakeTheSameBytes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	split := r.page(twoLines)
	rendered, err := call[comic.PageOutput](r.env, comic.StepRender, renderInput(split, r.detect(split), translations(2)))
	require.NoError(t, err)
	for _, in := range []comic.PageInput{
		{Mode: comic.ModeUnified},
		{Mode: comic.ModeFallback, Translations: translations(2), Cause: core.CodeCacheMiss},
	} {
		in.Page, in.Options = r.page(twoLines), options
		whole, err := call[comic.PageOutput](r.env, comic.StepPage, in)
		require.NoError(t, err)
		require.Equal(t, rendered.Result, whole.Result)
		require.Equal(t, in.Mode, whole.Mode)
		require.Equal(t, core.ElapsedMS{"context": 1, "render": 1, "total": 2}, whole.Elapsed)
	}
	require.Equal(t, 1, r.model.Calls(), "the fallback brings its translations")
}

func TestAPageWithoutTextInModeUnified(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(enginetest.Page())
	output, err := call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{Page: p, Options: options, Mode: comic.ModeUnified})
	require.NoError(t, err)
	require.Equal(t, p.Blob, output.Result)
	require.Equal(t, comic.NoText, output.NoChangeReason)
	require.Zero(t, r.model.Calls())
}

func TestRenderAnswersByTheSplitContract(t *testing.T) {
	t.Parallel()
	other := core.NewBlobRef([32]byte{9})
	cases := map[string]struct {
		spoil func(*comic.RenderInput)
		want  core.Code
	}{
		"unknown context": {func(in *comic.RenderInput) { in.LeaseID = "gone" }, core.CodeCacheMiss},
		"other image":     {func(in *comic.RenderInput) { in.ImageHash = other }, core.CodeImageHashMismatch},
		"missing text":    {func(in *comic.RenderInput) { in.Translations = translations(1) }, core.CodeRenderInputInvalid},
		"all three": {func(in *comic.RenderInput) {
			in.LeaseID, in.ImageHash, in.Translations = "gone", other, nil
		}, core.CodeCacheMiss},
		"the last two": {func(in *comic.RenderInput) { in.ImageHash, in.Translations = other, nil }, core.CodeImageHashMismatch},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			p := r.page(twoLines)
			in := renderInput(p, r.detect(p), translations(2))
			spoiled := in
			c.spoil(&spoiled)
			_, err := call[comic.PageOutput](r.env, comic.StepRender, spoiled)
			code, again := failed(t, err)
			require.Equal(t, c.want, code)
			require.False(t, again)
			require.Equal(t, 1, r.leases.Stats().Leases, "a refused render leaves the context")
			_, err = call[comic.PageOutput](r.env, comic.StepRender, in)
			require.NoError(t, err)
		})
	}
}

func TestABlobThatIsNotThere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	require.NoError(t, r.blobs.Delete(t.Context(), p.Blob))
	_, err := call[comic.DetectOutput](r.env, comic.StepDetect, comic.DetectInput{Page: p, Options: options})
	code, again := failed(t, err)
	require.Equal(t, core.CodeBlobMissing, code)
	require.False(t, again)
}

func TestABlobWhoseBytesHaveChanged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	folder := t.TempDir()
	var err error
	r.blobs, err = blob.Open(t.Context(), folder)
	require.NoError(t, err)
	r.steps = comicsteps.New(comicsteps.Deps{Host: r.host(), Engine: comicsteps.EngineOf(r.engine)})
	r.env = r.process(r.steps)
	p := r.page(twoLines)
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return os.WriteFile(path, []byte("page\nother text!!"), 0o600)
	}))
	_, err = call[comic.DetectOutput](r.env, comic.StepDetect, comic.DetectInput{Page: p, Options: options})
	code, _ := failed(t, err)
	require.Equal(t, core.CodeBlobCorrupt, code)
	require.Zero(t, r.engine.Detects())
}

func TestWithoutATranslator(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	env := r.process(comicsteps.New(comicsteps.Deps{Host: r.host()}))
	p := r.page(twoLines)
	_, err := call[comic.TranslateOutput](env, comic.StepTranslate, translateInput(p, r.detect(p)))
	code, again := failed(t, err)
	require.Equal(t, core.CodeTranslatorMissing, code)
	require.False(t, again)
}

func TestAHostThatWasThoughtDeadWritesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	in := renderInput(p, r.detect(p), translations(2))
	// While it renders, the compensating branch ends the page on another host.
	second := r.second(&enginetest.Engine{})
	var finished comic.PageOutput
	r.engine.Before = func(_ context.Context, stage core.Stage, _ []byte) (err error) {
		if stage == comic.StageRender {
			finished, err = call[comic.PageOutput](r.process(second), comic.StepPage, comic.PageInput{
				Page: p, Options: options, Mode: comic.ModeFallback,
				Translations: []core.Translation{{Index: 0, Text: "a"}, {Index: 1, Text: "b"}}, Cause: core.CodeHostLost,
			})
		}
		return err
	}
	_, err := call[comic.PageOutput](r.env, comic.StepRender, in)
	code, again := failed(t, err)
	require.Equal(t, core.CodeConflict, code)
	require.False(t, again)
	require.Equal(t, finished, r.row(p).Output())
	require.Equal(t, comic.ModeFallback, r.row(p).Mode)
}

func TestATaskBeginsAndEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	_, err := r.env.ExecuteActivity(core.StepStartTask, core.StartTaskInput{TaskID: p.TaskID})
	require.NoError(t, err)
	failure := core.Failure{Stage: comic.StageDetect, Code: core.CodeInvalidImage, Message: "no image"}
	_, err = r.env.ExecuteActivity(core.StepRecordFailure, core.RecordFailureInput{Item: p, Mode: comic.ModeSplit, Failure: failure})
	require.NoError(t, err)
	require.Equal(t, &failure, r.row(p).Failure)
	for range 2 {
		result, err := call[core.TaskResult](r.env, core.StepFinishTask, core.FinishTaskInput{TaskID: p.TaskID})
		require.NoError(t, err)
		require.Equal(t, core.TaskResult{Status: core.StatusError, TotalCount: 1, FailedCount: 1}, result)
	}
	_, err = r.env.ExecuteActivity(core.StepStartTask, core.StartTaskInput{TaskID: "00000000-0000-0000-0000-000000000000"})
	code, again := failed(t, err)
	require.Equal(t, core.CodeNotFound, code)
	require.False(t, again)
}

func TestMetricsTellWhatTheDeviceDid(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	registry := prometheus.NewRegistry()
	r.deps.Host = activities.New(activities.Deps{
		Blobs: r.blobs, Records: r.records.Store, Leases: r.leases, Queue: hostQueue, Metrics: activities.NewMetrics(registry, r.leases),
	})
	r.deps.Metrics = comicsteps.NewMetrics(registry)
	r.steps = comicsteps.New(r.deps)
	r.env = r.process(r.steps)
	p := r.page(twoLines)
	found := r.detect(p)
	require.Equal(t, 1, leases(t, registry))
	_, err := call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{
		Page: p, Options: options, Mode: comic.ModeFallback, Translations: translations(2), Cause: core.CodeTaskExpired,
	})
	require.NoError(t, err)
	require.NotEmpty(t, found.LeaseID)
	for name, series := range map[string]int{
		"plait_stage_seconds": 2, "plait_device_busy_seconds_total": 2, "plait_device_wait_seconds": 2,
		"plait_comic_fallbacks_total": 1, "plait_leases": 1, "plait_lease_bytes": 1, "plait_lease_evictions_total": 1,
	} {
		n, err := testutil.GatherAndCount(registry, name)
		require.NoError(t, err)
		require.Equal(t, series, n, name)
	}
}

func leases(t *testing.T, registry *prometheus.Registry) int {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	for _, family := range families {
		if family.GetName() == "plait_leases" {
			return int(family.GetMetric()[0].GetGauge().GetValue())
		}
	}
	return -1
}
