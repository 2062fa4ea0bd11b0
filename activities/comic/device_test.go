package comic_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
)

// Whatever a step does, others may have its device while it decodes and encodes.
func TestTheDeviceIsFreeForOthersWhileAPageIsDecodedOrEncoded(t *testing.T) {
	t.Parallel()
	edited := func(r *rig) comic.EditInput {
		p := r.page(twoLines)
		_, err := call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{Page: p, Options: options, Mode: comic.ModeUnified})
		require.NoError(t, err)
		r.say(p, "One")
		return comic.EditInput{Page: p, Options: options}
	}
	decode, encode := comic.StageDetect, comic.StageRender
	for name, path := range map[string]struct {
		// prepare is what comes before the step.
		prepare func(*rig) any
		step    string
		beside  []core.Stage
	}{
		"detect": {func(r *rig) any {
			return comic.DetectInput{Page: r.page(twoLines), Options: options}
		}, comic.StepDetect, []core.Stage{decode}},
		"render": {func(r *rig) any {
			p := r.page(twoLines)
			return renderInput(p, r.detect(p), translations(2))
		}, comic.StepRender, []core.Stage{encode}},
		"unified page": {func(r *rig) any {
			return comic.PageInput{Page: r.page(twoLines), Options: options, Mode: comic.ModeUnified}
		}, comic.StepPage, []core.Stage{decode, encode}},
		"fallback page": {func(r *rig) any {
			return comic.PageInput{Page: r.page(twoLines), Options: options, Mode: comic.ModeFallback, Translations: translations(2)}
		}, comic.StepPage, []core.Stage{decode, encode}},
		"edit": {func(r *rig) any { return edited(r) }, comic.StepEdit, []core.Stage{decode, encode}},
		"edit again": {func(r *rig) any {
			in := edited(r)
			out, err := call[comic.EditOutput](r.env, comic.StepEdit, in)
			require.NoError(t, err)
			r.say(in.Page, "Two")
			in.LeaseID = out.LeaseID
			return in
		}, comic.StepEdit, []core.Stage{encode}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			in := path.prepare(r)
			var beside []core.Stage
			r.engine.Beside = func(ctx context.Context, stage core.Stage, _ []byte) error {
				beside = append(beside, stage)
				return admitNothing(ctx, r.steps.Device())
			}
			_, err := r.env.ExecuteActivity(path.step, in)
			require.NoError(t, err)
			require.Equal(t, path.beside, beside)
		})
	}
}

// admitNothing is another step that has nothing to do. It fails where the device is not free.
func admitNothing(ctx context.Context, device *comicsteps.Device) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, _, err := device.Take(ctx, comic.StageRender, nil, func(comicsteps.Decoded) (comicsteps.Lettered, error) { return nil, nil })
	return err
}

// say edits the first text of a page.
func (r *rig) say(p core.Item, text string) {
	r.t.Helper()
	_, err := r.records.EditPage(r.t.Context(), p.Tenant, p.TaskID, p.Index, "Ann", []comicrecords.RegionEdit{{Text: new(text)}})
	require.NoError(r.t, err)
}

// Pages that wait for the device do so as files, but for one.
func TestAsManyPagesAreDecodedAsTheDeviceTakesAndOneMore(t *testing.T) {
	t.Parallel()
	const slots, steps = 2, 12
	engine, decoded := &enginetest.Engine{}, make(chan struct{}, steps)
	var now, most atomic.Int64
	engine.Beside = func(_ context.Context, stage core.Stage, _ []byte) error {
		if stage == comic.StageRender {
			now.Add(-1)
			return nil
		}
		for n, m := now.Add(1), most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		decoded <- struct{}{}
		return nil
	}
	var held sync.Once
	engine.Before = func(context.Context, core.Stage, []byte) error {
		held.Do(func() {
			for range slots + 1 {
				<-decoded
			}
		})
		return nil
	}
	typed := comicsteps.EngineOf(engine)
	device := comicsteps.New(comicsteps.Deps{Host: activities.New(activities.Deps{DeviceSlots: []int{slots}}), Engine: typed}).Device()
	var group errgroup.Group
	for range steps {
		group.Go(func() error {
			_, _, err := device.Take(t.Context(), comic.StagePage, twoLines, func(page comicsteps.Decoded) (comicsteps.Lettered, error) {
				c, _, err := page.Detect(t.Context(), options)
				if err != nil {
					return nil, err
				}
				return typed.Letter(t.Context(), c, translations(2))
			})
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.EqualValues(t, slots+1, most.Load())
	require.LessOrEqual(t, engine.MostAtOnce(), slots)
}

// A step that is canceled while its page waits decoded lets the next page be decoded; one that waits to decode its page leaves
// without having done so.
func TestACanceledStepGivesItsTurnBack(t *testing.T) {
	t.Parallel()
	engine, decoded := &enginetest.Engine{}, make(chan struct{}, 1)
	engine.Beside = func(context.Context, core.Stage, []byte) error {
		decoded <- struct{}{}
		return nil
	}
	device := comicsteps.New(comicsteps.Deps{Host: activities.New(activities.Deps{}), Engine: comicsteps.EngineOf(engine)}).Device()
	detect := func(ctx context.Context) chan error {
		ended := make(chan error, 1)
		go func() {
			_, _, err := device.Detect(ctx, comic.StageDetect, twoLines, options)
			ended <- err
		}()
		return ended
	}
	holds, over := make(chan struct{}), make(chan struct{})
	engine.Before = func(context.Context, core.Stage, []byte) error {
		holds <- struct{}{}
		<-over
		return nil
	}
	first := detect(t.Context())
	<-decoded
	<-holds
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	waits := detect(ctx)
	<-decoded
	other, cancelOther := context.WithCancel(t.Context())
	early := detect(other)
	cancelOther()
	require.ErrorIs(t, <-early, context.Canceled)
	require.Empty(t, decoded)
	cancel()
	require.ErrorIs(t, <-waits, context.Canceled)
	next := detect(t.Context())
	<-decoded
	over <- struct{}{}
	require.NoError(t, <-first)
	<-holds
	over <- struct{}{}
	require.NoError(t, <-next)
	require.Equal(t, 2, engine.Detects())
}
