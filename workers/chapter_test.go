package workers_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/translate"
	"plait/internal/translate/translatetest"
	"plait/workers"
	"plait/workflows"
)

// hello is a page of two regions that no other page of a test has.
func hello(page int) []byte { return enginetest.Page(linesOf(page)...) }

func linesOf(page int) []string {
	return []string{fmt.Sprintf("こんにちは %d", page), fmt.Sprintf("さようなら %d", page)}
}

func helloRendered(page int) string {
	return string(enginetest.Rendered(translatetest.Bracketed, linesOf(page)...))
}

func chapterPages(n int) (pages [][]byte) {
	for i := range n {
		pages = append(pages, hello(i))
	}
	return pages
}

func TestAChapterInSplitMode(t *testing.T) {
	for name, sticky := range map[string]int{"sticky": 0, "replaying every task": -1} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			h := r.host(hostOptions{sticky: sticky})
			in := r.task(comic.ModeSplit, hello(0), hello(1), enginetest.Page(), hello(3), hello(4), hello(5), hello(6))
			result := r.run(in)
			require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 7, SuccessCount: 7}, result)
			require.Equal(t, []int{0, 1, 3, 4, 5, 6}, r.model.Pages(), "in page order, once each")
			for i, page := range r.pages(in) {
				require.Equal(t, core.StatusSuccess, page.Status)
				require.Equal(t, comic.ModeSplit, page.Mode)
				if i == 2 {
					require.Equal(t, in.Items[i].Blob, page.Result)
					require.False(t, page.OutputChanged)
					require.Equal(t, comic.NoText, page.NoChangeReason)
					require.Equal(t, 100, page.Width)
					continue
				}
				require.Equal(t, helloRendered(i), r.result(page))
				require.True(t, page.OutputChanged)
				require.Equal(t, 2, page.Regions)
			}
			require.Equal(t, 1, h.engine.MostAtOnce(), "the device has one slot")
			require.Zero(t, h.leases().Stats().Leases)
			record(t, r, in, "split")
		})
	}
}

func TestATranslationIsGivenThePagesBefore(t *testing.T) {
	r := newRig(t)
	r.host(hostOptions{})
	r.run(r.task(comic.ModeSplit, chapterPages(6)...))
	last := r.model.Requests()[5]
	require.Len(t, last.Context, translate.ContextPages)
	require.Equal(t, translate.PageText{
		Name: "005.png", Pairs: []translate.Pair{{Source: "こんにちは 4", Translation: "[こんにちは 4]"}, {Source: "さようなら 4", Translation: "[さようなら 4]"}},
	}, last.Context[len(last.Context)-1])
	require.Equal(t, "ja", last.From)
	require.Equal(t, "en", last.To)
}

func TestUnifiedMakesTheSameBytes(t *testing.T) {
	r := newRig(t)
	r.host(hostOptions{})
	split, unified := r.task(comic.ModeSplit, chapterPages(3)...), r.task(comic.ModeUnified, append(chapterPages(3), enginetest.Page())...)
	r.run(split)
	require.Equal(t, 4, r.run(unified).SuccessCount)
	for i, page := range r.pages(unified) {
		require.Equal(t, comic.ModeUnified, page.Mode)
		if i < 3 {
			require.Equal(t, r.pages(split)[i].Result, page.Result)
		}
	}
	require.Equal(t, []int{0, 1, 2, 0, 1, 2}, r.model.Pages())
	record(t, r, unified, "unified")
}

func TestATaskOfOneImage(t *testing.T) {
	r := newRig(t)
	r.host(hostOptions{})
	in := r.task(comic.ModeSplit, hello(0))
	r.start(in)
	require.Equal(t, 1, r.run(in).SuccessCount, "a second start finds the first")
	require.Equal(t, helloRendered(0), r.result(r.pages(in)[0]))
	record(t, r, in, "page")
}

func TestOnePageFailsAlone(t *testing.T) {
	r := newRig(t)
	var broken atomic.Int64
	h := r.host(hostOptions{engine: &enginetest.Engine{Beside: func(_ context.Context, _ core.Stage, image []byte) error {
		broken.Add(int64(bytes.Count(image, enginetest.BrokenPage())))
		return nil
	}}})
	in := r.task(comic.ModeSplit, hello(0), enginetest.BrokenPage(), hello(2))
	require.Equal(t, core.TaskResult{Status: core.StatusPartial, TotalCount: 3, SuccessCount: 2, FailedCount: 1}, r.run(in))
	require.Equal(t, &core.Failure{Stage: comic.StageDetect, Code: core.CodeInvalidImage, Message: "the page is broken"},
		r.pages(in)[1].Failure)
	require.Equal(t, []int{1, 2}, []int{int(broken.Load()), h.engine.Detects()}, "a broken page is not tried again")
	record(t, r, in, "partial")
}

func TestAllPagesFail(t *testing.T) {
	r := newRig(t)
	r.host(hostOptions{})
	r.model.Before = func(context.Context, translate.Request) error {
		return core.NewError(core.CodeTranslatorRefused, "the key is not valid")
	}
	in := r.task(comic.ModeSplit, chapterPages(2)...)
	require.Equal(t, core.TaskResult{Status: core.StatusError, TotalCount: 2, FailedCount: 2}, r.run(in))
	require.Equal(t, comic.StageTranslate, r.pages(in)[0].Failure.Stage)
	record(t, r, in, "error")
}

func TestCancelStopsTheEngineAndIsRecorded(t *testing.T) {
	r := newRig(t)
	held, freed := make(chan struct{}), make(chan error, 1)
	r.host(hostOptions{engine: &enginetest.Engine{Before: func(ctx context.Context, stage core.Stage, image []byte) error {
		if stage == comic.StageRender || string(image) != string(hello(2)) {
			return nil
		}
		close(held)
		<-ctx.Done()
		freed <- ctx.Err()
		return ctx.Err()
	}}})
	in := r.task(comic.ModeSplit, chapterPages(5)...)
	r.start(in)
	await(t, held, "the third page on the device")
	began := time.Now()
	require.NoError(t, workflows.Cancel(t.Context(), r.client, in.TaskID))
	require.Error(t, await(t, freed, "the device"))
	t.Logf("the device was free %v after the cancel", time.Since(began).Round(time.Millisecond))
	_, err := r.wait(in)
	require.True(t, temporal.IsCanceledError(err), "%v", err)
	task, err := r.records.Task(t.Context(), tenant, in.TaskID)
	require.NoError(t, err)
	require.Equal(t, core.StatusCanceled, task.Status)
	require.NoError(t, workflows.Cancel(t.Context(), r.client, in.TaskID), "it has ended")
	record(t, r, in, "canceled")
}

func TestATaskIsStartedOnce(t *testing.T) {
	r := newRig(t)
	in := r.task(comic.ModeSplit, hello(0))
	state := func() workflows.State {
		s, err := workflows.StateOf(t.Context(), r.client, in.TaskID)
		require.NoError(t, err)
		return s
	}
	require.Equal(t, workflows.StateUnknown, state())
	require.Equal(t, core.CodeNotFound, core.CodeOf(workflows.Cancel(t.Context(), r.client, in.TaskID)))
	r.start(in)
	r.start(in)
	require.Equal(t, workflows.StateRunning, state())
	r.host(hostOptions{})
	_, err := r.wait(in)
	require.NoError(t, err)
	r.start(in)
	require.Equal(t, workflows.StateClosed, state())
	require.Equal(t, []int{0}, r.model.Pages())
}

func TestWhatAnOperatorSees(t *testing.T) {
	r := newRig(t)
	asked, answer := make(chan struct{}), make(chan struct{})
	r.model.Before = func(_ context.Context, request translate.Request) error {
		if request.Page.Index == 1 {
			close(asked)
			<-answer
		}
		return nil
	}
	r.host(hostOptions{leases: lease.Config{Start: lease.DefaultCapacity}})
	in := r.task(comic.ModeSplit, chapterPages(2)...)
	r.start(in)
	await(t, asked, "the second translation")
	require.Eventually(t, func() bool {
		p, err := workflows.ProgressOf(t.Context(), r.client, in.TaskID)
		return err == nil && p.Done == 1 && len(p.InFlight) == 1 && p.InFlight[0].Stage == comic.StageTranslate
	}, patience, pollEvery)
	close(answer)
	_, err := r.wait(in)
	require.NoError(t, err)

	description, err := r.client.DescribeWorkflow(t.Context(), in.TaskID, "")
	require.NoError(t, err)
	summary, err := description.GetStaticSummary()
	require.NoError(t, err)
	require.Equal(t, t.Name(), summary)
	raw, err := r.client.DescribeWorkflowExecution(t.Context(), in.TaskID, "")
	require.NoError(t, err)
	require.Equal(t, tenant, raw.GetWorkflowExecutionInfo().GetPriority().GetFairnessKey(), "tenants take turns")
	attributes := make(map[string]string)
	for key, value := range description.TypedSearchAttributes.GetUntypedValues() {
		if strings.HasPrefix(key.GetName(), "Plait") {
			attributes[key.GetName()] = fmt.Sprint(value)
		}
	}
	require.Equal(t, map[string]string{
		"PlaitTenant": tenant, "PlaitKind": "comic", "PlaitStatus": "success", "PlaitTargetLanguage": "en",
	}, attributes)
	require.Equal(t, []string{
		"task started",
		"1 of 2 · detect · 001.png", "2 of 2 · detect · 002.png",
		"1 of 2 · translate · 001.png", "1 of 2 · render · 001.png",
		"2 of 2 · translate · 002.png", "2 of 2 · render · 002.png",
		"task ended",
	}, stepSummaries(t, r, in))
}

func TestTheDeviceIsFreeWhileAModelAnswers(t *testing.T) {
	r := newRig(t)
	asked, answer := make(chan struct{}), make(chan struct{})
	r.model.Before = func(_ context.Context, request translate.Request) error {
		if request.Page.Index == 0 && request.Segments[0].Text == "こんにちは 0" {
			close(asked)
			<-answer
		}
		return nil
	}
	r.host(hostOptions{slots: 2})
	unified, split := r.task(comic.ModeUnified, hello(0)), r.task(comic.ModeSplit, hello(7))
	r.start(unified)
	await(t, asked, "the translation within the page step")
	require.Equal(t, 1, r.run(split).SuccessCount, "the only slot of the device")
	close(answer)
	_, err := r.wait(unified)
	require.NoError(t, err)
}

func TestTranslateSlotsAreStrictOverHosts(t *testing.T) {
	r := newRig(t)
	for range 3 {
		r.host(hostOptions{slots: 2})
	}
	var chapters []chapter
	for i := range 4 {
		in := r.task(comic.ModeSplit, chapterPages(4)...)
		in.Options.To = []string{"en", "de", "fr", "es"}[i]
		chapters = append(chapters, in)
		r.start(in)
	}
	for _, in := range chapters {
		result, err := r.wait(in)
		require.NoError(t, err)
		require.Equal(t, 4, result.SuccessCount)
	}
	require.LessOrEqual(t, r.model.MostAtOnce(), 2)
	require.Len(t, r.model.Pages(), 16)
}

func TestAnEvictedContextFallsBack(t *testing.T) {
	r := newRig(t)
	contexts := make(chan *lease.Cache, 1)
	r.model.Before = func(_ context.Context, request translate.Request) error {
		if request.Page.Index == 0 {
			// What nobody claimed room for takes the place of another.
			cache := <-contexts
			cache.Drop(cache.Put(lease.Entry{Value: &enginetest.Context{}}))
		}
		return nil
	}
	h := r.host(hostOptions{leases: lease.Config{Capacity: 1}})
	contexts <- h.leases()
	in := r.task(comic.ModeSplit, chapterPages(2)...)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 2, SuccessCount: 2, Modes: map[core.Mode]int{comic.ModeFallback: 1}}, r.run(in))
	require.Equal(t, []int{0, 1}, r.model.Pages(), "no second model call")
	for i, page := range r.pages(in) {
		require.Equal(t, helloRendered(i), r.result(page))
	}
	require.Zero(t, h.leases().Stats().Leases)
	record(t, r, in, "fallback")
}

func TestRolesOnHostsOfTheirOwn(t *testing.T) {
	r := newRig(t)
	for _, role := range allRoles {
		r.host(hostOptions{roles: []workers.Role{role}})
	}
	require.Equal(t, 3, r.run(r.task(comic.ModeSplit, chapterPages(3)...)).SuccessCount)
}

func stepSummaries(t *testing.T, r *rig, in chapter) (summaries []string) {
	t.Helper()
	events := r.client.GetWorkflowHistory(t.Context(), in.TaskID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		if event.GetEventType() != enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED {
			continue
		}
		var summary string
		require.NoError(t, converter.GetDefaultDataConverter().FromPayload(event.GetUserMetadata().GetSummary(), &summary))
		summaries = append(summaries, summary)
	}
	return summaries
}
