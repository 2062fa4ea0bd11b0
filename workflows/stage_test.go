package workflows_test

import (
	"context"
	"fmt"
	"log/slog"
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

	"plait/internal/pipeline"
	"plait/workflows"
)

const (
	taskID    = "0b7ad2a6-6b0a-4a0c-9a52-0c5a4f6f8d11"
	hostQueue = "gpu-host:a:1"
	anything  = mock.Anything
)

// stage runs a workflow against steps that a test replaces one by one, and keeps what they were asked.
type stage struct {
	t   *testing.T
	env *testsuite.TestWorkflowEnvironment

	detect        func(pipeline.DetectInput) (pipeline.DetectOutput, error)
	translate     func(pipeline.TranslateInput) (pipeline.TranslateOutput, error)
	render        func(pipeline.RenderInput) (pipeline.PageOutput, error)
	page          func(pipeline.PageInput) (pipeline.PageOutput, error)
	start         func() error
	recordFailure func(pipeline.RecordFailureInput) error
	dropContext   func(pipeline.DropContextInput) error

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
		detect:    func(in pipeline.DetectInput) (pipeline.DetectOutput, error) { return detected(in), nil },
		translate: func(in pipeline.TranslateInput) (pipeline.TranslateOutput, error) { return translated(in), nil },
		render: func(in pipeline.RenderInput) (pipeline.PageOutput, error) {
			return rendered(in.Page, pipeline.ModeSplit), nil
		},
		page:          func(in pipeline.PageInput) (pipeline.PageOutput, error) { return rendered(in.Page, in.Mode), nil },
		start:         func() error { return nil },
		recordFailure: func(pipeline.RecordFailureInput) error { return nil },
		dropContext:   func(pipeline.DropContextInput) error { return nil },
	}
	s.changed = sync.NewCond(&s.mu)
	s.env.SetTestTimeout(time.Minute)
	s.env.RegisterWorkflowWithOptions(workflows.ChapterWorkflow, workflow.RegisterOptions{Name: workflows.ChapterWorkflowName})
	s.env.RegisterWorkflowWithOptions(workflows.PageWorkflow, workflow.RegisterOptions{Name: workflows.PageWorkflowName})
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
	register(pipeline.StepDetect, func(ctx context.Context, in pipeline.DetectInput) (pipeline.DetectOutput, error) {
		s.note(ctx, in.Page.Index, in)
		found, err := s.detect(in)
		s.ended(in.Page.Index, err == nil && len(found.Regions) == 0, pipeline.ModeSplit)
		return found, err
	})
	register(pipeline.StepTranslate, func(ctx context.Context, in pipeline.TranslateInput) (pipeline.TranslateOutput, error) {
		s.inTurn(in)
		s.note(ctx, in.Page.Index, in)
		defer s.turned(in.Page.Index)
		return s.translate(in)
	})
	register(pipeline.StepRender, func(ctx context.Context, in pipeline.RenderInput) (pipeline.PageOutput, error) {
		s.note(ctx, in.Page.Index, in)
		output, err := s.render(in)
		s.ended(in.Page.Index, err == nil && len(output.TooLong) == 0, pipeline.ModeSplit)
		return output, err
	})
	register(pipeline.StepPage, func(ctx context.Context, in pipeline.PageInput) (pipeline.PageOutput, error) {
		s.note(ctx, in.Page.Index, in)
		output, err := s.page(in)
		s.ended(in.Page.Index, err == nil, in.Mode)
		return output, err
	})
	register(pipeline.StepStartTask, func(ctx context.Context, in pipeline.StartTaskInput) error {
		s.note(ctx, -1, in)
		return s.start()
	})
	register(pipeline.StepRecordFailure, func(ctx context.Context, in pipeline.RecordFailureInput) error {
		s.note(ctx, in.Page.Index, in)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, in.Page.Index)
		s.changed.Broadcast()
		s.failed++
		return s.recordFailure(in)
	})
	register(pipeline.StepDropContext, func(ctx context.Context, in pipeline.DropContextInput) error {
		s.note(ctx, -1, in)
		return s.dropContext(in)
	})
	register(pipeline.StepFinishTask, func(ctx context.Context, in pipeline.FinishTaskInput) (pipeline.ChapterResult, error) {
		s.note(ctx, -1, in)
		return s.finish(in), nil
	})
}

// inTurn has a translation that was asked for ahead wait for those before it, as the step does.
func (s *stage) inTurn(in pipeline.TranslateInput) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for in.Ahead && s.untranslatedBefore(in.Page.Index) {
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
func (s *stage) finish(in pipeline.FinishTaskInput) pipeline.ChapterResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	result := pipeline.ChapterResult{
		Status:     pipeline.StatusPartial,
		TotalCount: s.total, SuccessCount: s.succeeded, FailedCount: s.total - s.succeeded, FallbackCount: s.fallback,
	}
	switch {
	case in.Canceled:
		result.Status = pipeline.StatusCanceled
	case result.FailedCount == 0:
		result.Status = pipeline.StatusSuccess
	case result.SuccessCount == 0:
		result.Status = pipeline.StatusError
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

func (s *stage) ended(page int, success bool, mode pipeline.Mode) {
	if !success {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, page)
	s.changed.Broadcast()
	s.succeeded++
	if mode == pipeline.ModeFallback {
		s.fallback++
	}
}

func (s *stage) run(workflow, input any) error {
	s.env.ExecuteWorkflow(workflow, input)
	require.True(s.t, s.env.IsWorkflowCompleted())
	return s.env.GetWorkflowError()
}

func (s *stage) chapter(in workflows.ChapterInput) (result pipeline.ChapterResult) {
	s.t.Helper()
	require.NoError(s.t, s.run(workflows.ChapterWorkflow, in))
	require.NoError(s.t, s.env.GetWorkflowResult(&result))
	require.Equal(s.t, result.TotalCount, result.SuccessCount+result.FailedCount)
	return result
}

func (s *stage) pageTask(in workflows.PageTaskInput) (result pipeline.PageResult, err error) {
	s.t.Helper()
	if err := s.run(workflows.PageWorkflow, in); err != nil {
		return result, err
	}
	return result, s.env.GetWorkflowResult(&result)
}

func (s *stage) counts() map[string]int {
	counts := make(map[string]int)
	for _, c := range s.calls {
		counts[c.step]++
	}
	return counts
}

func (s *stage) queues() map[string]string {
	queues := make(map[string]string)
	for _, c := range s.calls {
		queues[c.step] = c.queue
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

func coded(c pipeline.Code) error {
	return temporal.NewApplicationErrorWithOptions("a sentence", string(c),
		temporal.ApplicationErrorOptions{NonRetryable: c.RetryRule() != pipeline.RetryBackoff})
}

func options() pipeline.Options {
	return pipeline.Options{From: "ja", To: "en", Mode: pipeline.ModeSplit}
}

func pageRef(index int) pipeline.PageRef {
	return pipeline.PageRef{
		TaskID: taskID, Tenant: "t", Index: index, Name: fmt.Sprintf("%03d.png", index),
		Blob: pipeline.NewBlobRef([32]byte{byte(index)}),
	}
}

func chapterOf(pages int) workflows.ChapterInput {
	in := workflows.ChapterInput{TaskID: taskID, Tenant: "t", Kind: pipeline.KindComic, Options: options()}
	for i := range pages {
		in.Pages = append(in.Pages, pageRef(i))
	}
	return in
}

func detected(in pipeline.DetectInput) pipeline.DetectOutput {
	return pipeline.DetectOutput{
		ContextID: fmt.Sprintf("context-%d", in.Page.Index), HostQueue: hostQueue, TTLSeconds: 300, ImageHash: in.Page.Blob,
		Width: 800, Height: 1200, FromLang: "ja",
		Regions: []pipeline.Region{{
			Text: fmt.Sprintf("テキスト%d", in.Page.Index), SourceLang: "ja", TargetLang: "en",
			Lines: []pipeline.Quad{{{1, 1}, {9, 1}, {9, 9}, {1, 9}}},
		}},
	}
}

func translationsOf(page int) []pipeline.Translation {
	return []pipeline.Translation{{Text: fmt.Sprintf("TEXT %d", page)}}
}

func translated(in pipeline.TranslateInput) pipeline.TranslateOutput {
	return pipeline.TranslateOutput{Translations: translationsOf(in.Page.Index), Provider: "script"}
}

func rendered(p pipeline.PageRef, mode pipeline.Mode) pipeline.PageOutput {
	return pipeline.PageOutput{Result: pipeline.NewBlobRef([32]byte{byte(p.Index), 1}), Mode: mode, OutputChanged: true, Regions: 1}
}
