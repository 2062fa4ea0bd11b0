package comic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
	"plait/workflows"
	comicflow "plait/workflows/comic"
)

const (
	taskID    = "0b7ad2a6-6b0a-4a0c-9a52-0c5a4f6f8d11"
	hostQueue = "plait-host:a:1"
	anything  = mock.Anything
)

// stage runs a workflow against steps that a test replaces one by one, and keeps what they were asked.
type stage struct {
	t   *testing.T
	env *testsuite.TestWorkflowEnvironment

	detect        func(comic.DetectInput) (comic.DetectOutput, error)
	translate     func(comic.TranslateInput) (comic.TranslateOutput, error)
	render        func(comic.RenderInput) (comic.PageOutput, error)
	page          func(comic.PageInput) (comic.PageOutput, error)
	start         func() error
	recordFailure func(core.RecordFailureInput) error
	releaseLease  func(core.ReleaseLeaseInput) error

	mu    sync.Mutex
	calls []call
	// changed is told of each page that is translated or has ended.
	changed    *sync.Cond
	translated map[int]bool
	// open are the pages between the start of their first step and the end of their last; most is the largest number.
	open map[int]bool
	most int
	// What the page rows would say.
	total, succeeded, failed, fallback int
	upserts                            []string
}

type call struct {
	step  string
	page  int
	input any
	queue string
}

func newStage(t *testing.T, total int) *stage {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	s := &stage{
		t: t, env: suite.NewTestWorkflowEnvironment(), total: total, open: make(map[int]bool), translated: make(map[int]bool),
		detect:    func(in comic.DetectInput) (comic.DetectOutput, error) { return detected(in), nil },
		translate: func(in comic.TranslateInput) (comic.TranslateOutput, error) { return translated(in), nil },
		render: func(in comic.RenderInput) (comic.PageOutput, error) {
			return rendered(in.Page, comic.ModeSplit), nil
		},
		page:          func(in comic.PageInput) (comic.PageOutput, error) { return rendered(in.Page, in.Mode), nil },
		start:         func() error { return nil },
		recordFailure: func(core.RecordFailureInput) error { return nil },
		releaseLease:  func(core.ReleaseLeaseInput) error { return nil },
	}
	s.changed = sync.NewCond(&s.mu)
	s.env.SetTestTimeout(time.Minute)
	s.env.RegisterWorkflowWithOptions(comicflow.Task, workflow.RegisterOptions{Name: string(comic.Kind)})
	s.registerSteps()
	s.env.OnUpsertTypedSearchAttributes(anything).Return(nil).Run(func(args mock.Arguments) {
		status, _ := args.Get(0).(temporal.SearchAttributes).GetKeyword(temporal.NewSearchAttributeKeyKeyword("PlaitStatus"))
		if status == "" { // that of a change's version
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.upserts = append(s.upserts, status)
	})
	return s
}

func (s *stage) registerSteps() {
	register := func(name string, step any) {
		s.env.RegisterActivityWithOptions(step, activity.RegisterOptions{Name: name})
	}
	register(comic.StepDetect, func(ctx context.Context, in comic.DetectInput) (comic.DetectOutput, error) {
		s.note(ctx, in.Page.Index, in)
		found, err := s.detect(in)
		s.ended(in.Page.Index, err == nil && len(found.Regions) == 0, comic.ModeSplit)
		return found, err
	})
	register(comic.StepTranslate, func(ctx context.Context, in comic.TranslateInput) (comic.TranslateOutput, error) {
		s.inTurn(in)
		s.note(ctx, in.Page.Index, in)
		defer s.turned(in.Page.Index)
		return s.translate(in)
	})
	register(comic.StepRender, func(ctx context.Context, in comic.RenderInput) (comic.PageOutput, error) {
		s.note(ctx, in.Page.Index, in)
		output, err := s.render(in)
		s.ended(in.Page.Index, err == nil && len(output.TooLong) == 0, comic.ModeSplit)
		return output, err
	})
	register(comic.StepPage, func(ctx context.Context, in comic.PageInput) (comic.PageOutput, error) {
		s.note(ctx, in.Page.Index, in)
		output, err := s.page(in)
		s.ended(in.Page.Index, err == nil, in.Mode)
		return output, err
	})
	register(core.StepStartTask, func(ctx context.Context, in core.StartTaskInput) error {
		s.note(ctx, -1, in)
		return s.start()
	})
	register(core.StepRecordFailure, func(ctx context.Context, in core.RecordFailureInput) error {
		s.note(ctx, in.Item.Index, in)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, in.Item.Index)
		s.changed.Broadcast()
		s.failed++
		return s.recordFailure(in)
	})
	register(core.StepReleaseLease, func(ctx context.Context, in core.ReleaseLeaseInput) error {
		s.note(ctx, -1, in)
		return s.releaseLease(in)
	})
	register(core.StepFinishTask, func(ctx context.Context, in core.FinishTaskInput) (core.TaskResult, error) {
		s.note(ctx, -1, in)
		return s.finish(in), nil
	})
}

// inTurn has a translation that was asked for ahead wait for those before it, as the step does.
func (s *stage) inTurn(in comic.TranslateInput) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for in.Prefetch && s.untranslatedBefore(in.Page.Index) {
		s.changed.Wait()
	}
}

func (s *stage) untranslatedBefore(page int) bool {
	for p := range s.open {
		if p < page && !s.translated[p] {
			return true
		}
	}
	return false
}

// turned is called when a translation has been tried.
func (s *stage) turned(page int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.translated[page] = true
	s.changed.Broadcast()
}

// finish counts as the records do: pages that have not ended are failed.
func (s *stage) finish(in core.FinishTaskInput) core.TaskResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	result := core.TaskResult{
		Status:     core.StatusPartial,
		TotalCount: s.total, SuccessCount: s.succeeded, FailedCount: s.total - s.succeeded,
	}
	if s.fallback > 0 {
		result.Modes = map[core.Mode]int{comic.ModeFallback: s.fallback}
	}
	switch {
	case in.Canceled:
		result.Status = core.StatusCanceled
	case result.FailedCount == 0:
		result.Status = core.StatusSuccess
	case result.SuccessCount == 0:
		result.Status = core.StatusError
	}
	return result
}

func (s *stage) note(ctx context.Context, page int, input any) {
	info := activity.GetInfo(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call{step: info.ActivityType.Name, page: page, input: input, queue: info.TaskQueue})
	if page >= 0 {
		s.open[page] = true
		s.most = max(s.most, len(s.open))
	}
}

func (s *stage) ended(page int, success bool, mode core.Mode) {
	if !success {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, page)
	s.changed.Broadcast()
	s.succeeded++
	if mode == comic.ModeFallback {
		s.fallback++
	}
}

func (s *stage) run(workflow, input any) error {
	s.env.ExecuteWorkflow(workflow, input)
	require.True(s.t, s.env.IsWorkflowCompleted())
	return s.env.GetWorkflowError()
}

func (s *stage) chapter(in workflows.TaskInput) (result core.TaskResult) {
	s.t.Helper()
	require.NoError(s.t, s.run(comicflow.Task, in))
	require.NoError(s.t, s.env.GetWorkflowResult(&result))
	require.Equal(s.t, result.TotalCount, result.SuccessCount+result.FailedCount)
	return result
}

func (s *stage) counts() map[string]int {
	counts := make(map[string]int)
	for _, c := range s.calls {
		counts[strings.TrimPrefix(c.step, "comic.")]++
	}
	return counts
}

func (s *stage) queues() map[string]string {
	queues := make(map[string]string)
	for _, c := range s.calls {
		queues[strings.TrimPrefix(c.step, "comic.")] = c.queue
	}
	return queues
}

func (s *stage) order(step string) (pages []int) {
	for _, c := range s.calls {
		if c.step == step {
			pages = append(pages, c.page)
		}
	}
	return pages
}

func (s *stage) inputs(step string) (inputs []any) {
	for _, c := range s.calls {
		if c.step == step {
			inputs = append(inputs, c.input)
		}
	}
	return inputs
}

func (s *stage) widest() int        { return s.most }
func (s *stage) statuses() []string { return s.upserts }

func converterOf() converter.DataConverter { return converter.GetDefaultDataConverter() }

func metadataDetails(t *testing.T, value converter.EncodedValue) string {
	t.Helper()
	var metadata sdkpb.WorkflowMetadata
	require.NoError(t, value.Get(&metadata))
	return metadata.GetCurrentDetails()
}

func coded(c core.Code) error {
	return temporal.NewApplicationErrorWithOptions("a sentence", string(c),
		temporal.ApplicationErrorOptions{NonRetryable: c.RetryRule() != core.RetryBackoff})
}

func options() comic.Options {
	return comic.Options{From: "ja", To: "en", Mode: comic.ModeSplit}
}

// optionsWith are the options of a task, changed.
func optionsWith(change func(*comic.Options)) json.RawMessage {
	o := options()
	change(&o)
	return stateOf(o)
}

// stateOf is what a task carries of a kind.
func stateOf(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func latenciesOf(t *testing.T, in workflows.TaskInput) (measured comicflow.Latencies) {
	t.Helper()
	require.NoError(t, json.Unmarshal(in.State, &measured))
	return measured
}

func pageRef(index int) core.Item {
	return core.Item{
		TaskID: taskID, Tenant: "t", Index: index, Name: fmt.Sprintf("%03d.png", index),
		Blob: core.NewBlobRef([32]byte{byte(index)}),
	}
}

func chapterOf(pages int) workflows.TaskInput {
	in := workflows.TaskInput{TaskID: taskID, Tenant: "t", Kind: comic.Kind, Options: optionsWith(func(*comic.Options) {})}
	for i := range pages {
		in.Items = append(in.Items, pageRef(i))
	}
	return in
}

func detected(in comic.DetectInput) comic.DetectOutput {
	return comic.DetectOutput{
		Lease:     core.Lease{LeaseID: fmt.Sprintf("context-%d", in.Page.Index), HostQueue: hostQueue, TTLSeconds: 300},
		ImageHash: in.Page.Blob,
		Width:     800, Height: 1200, FromLang: "ja",
		Regions: []comic.Region{{
			Text: fmt.Sprintf("テキスト%d", in.Page.Index), SourceLang: "ja", TargetLang: "en",
			Lines: []raster.Quad{{{1, 1}, {9, 1}, {9, 9}, {1, 9}}},
		}},
	}
}

func translationsOf(page int) []core.Translation {
	return []core.Translation{{Text: fmt.Sprintf("TEXT %d", page)}}
}

func translated(in comic.TranslateInput) comic.TranslateOutput {
	return comic.TranslateOutput{Translations: translationsOf(in.Page.Index), Provider: "script"}
}

func rendered(p core.Item, mode core.Mode) comic.PageOutput {
	return comic.PageOutput{Result: core.NewBlobRef([32]byte{byte(p.Index), 1}), Mode: mode, OutputChanged: true, Regions: 1}
}
