package document_test

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
	"plait/internal/document"
	"plait/workflows"
	documentflow "plait/workflows/document"
)

// call is a step as a worker sees it.
type call struct {
	step string
	page int
	mode core.Mode
}

// stage runs the workflow with steps that a test can replace.
type stage struct {
	t         *testing.T
	env       *testsuite.TestWorkflowEnvironment
	layout    func(document.LayoutInput) (document.LayoutOutput, error)
	translate func(document.TranslateInput) error
	write     func() error

	mu    sync.Mutex
	calls []call
	// requested are the pages of translations by the ids of their activities, which the workflow numbers in the order of its requests.
	requested map[int]int
	// asked are the inputs of translations in the order of their calls.
	asked    []document.TranslateInput
	finished []core.FinishTaskInput
}

func newStage(t *testing.T) *stage {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	s := &stage{
		t: t, env: suite.NewTestWorkflowEnvironment(), requested: map[int]int{},
		layout:    func(document.LayoutInput) (document.LayoutOutput, error) { return document.LayoutOutput{Texts: 3}, nil },
		translate: func(document.TranslateInput) error { return nil },
		write:     func() error { return nil },
	}
	s.env.SetTestTimeout(time.Minute)
	s.env.RegisterWorkflowWithOptions(documentflow.Task, workflow.RegisterOptions{Name: string(document.Kind)})
	s.env.OnUpsertTypedSearchAttributes(mock.Anything).Return(nil)
	register := func(name string, step any) {
		s.env.RegisterActivityWithOptions(step, activity.RegisterOptions{Name: name})
	}
	register(document.StepLayout, func(_ context.Context, in document.LayoutInput) (document.LayoutOutput, error) {
		s.note(call{"layout", in.Item.Index, ""})
		return s.layout(in)
	})
	register(document.StepTranslate, func(ctx context.Context, in document.TranslateInput) (document.TranslateOutput, error) {
		s.note(call{"translate", in.Item.Index, in.Mode})
		s.request(ctx, in)
		return document.TranslateOutput{Attempts: in.Attempts + int(activity.GetInfo(ctx).Attempt)}, s.translate(in)
	})
	register(document.StepTypeset, func(_ context.Context, in document.TypesetInput) (core.BlobRef, error) {
		s.note(call{"typeset", in.Item.Index, in.Mode})
		return "", nil
	})
	register(document.StepWrite, func(context.Context, document.WriteInput) error {
		s.note(call{"write", -1, ""})
		return s.write()
	})
	register(core.StepStartTask, func(context.Context, core.StartTaskInput) error { return nil })
	register(core.StepRecordFailure, func(_ context.Context, in core.RecordFailureInput) error {
		s.note(call{"failed", in.Item.Index, in.Mode})
		return nil
	})
	register(core.StepFinishTask, func(_ context.Context, in core.FinishTaskInput) (core.TaskResult, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.finished = append(s.finished, in)
		return core.TaskResult{Status: core.StatusSuccess}, nil
	})
	return s
}

func (s *stage) note(c call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, c)
}

func (s *stage) request(ctx context.Context, in document.TranslateInput) {
	id, err := strconv.Atoi(activity.GetInfo(ctx).ActivityID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked = append(s.asked, in); err == nil {
		s.requested[id] = in.Item.Index
	}
}

// pages are the pages of a step in the order of its calls.
func (s *stage) pages(step string) (pages []int) {
	for _, c := range s.calls {
		if c.step == step {
			pages = append(pages, c.page)
		}
	}
	return pages
}

// modes are the modes of the calls of a step for a page.
func (s *stage) modes(step string, page int) (modes []core.Mode) {
	for _, c := range s.calls {
		if c.step == step && c.page == page {
			modes = append(modes, c.mode)
		}
	}
	return modes
}

func (s *stage) run(pages int, mode core.Mode) {
	s.t.Helper()
	options := document.Options{From: "en", To: "zh", Mode: mode, Output: document.OutputMono, Total: pages}
	in := workflows.TaskInput{TaskID: "task", Tenant: "press", Kind: document.Kind}
	for i := range pages {
		options.Pages = append(options.Pages, i)
		in.Items = append(in.Items, core.Item{TaskID: "task", Tenant: "press", Index: i, Name: "page"})
	}
	in.Options = options.JSON()
	s.env.ExecuteWorkflow(string(document.Kind), in)
	require.True(s.t, s.env.IsWorkflowCompleted())
}

func (s *stage) finish() core.FinishTaskInput {
	s.t.Helper()
	require.Len(s.t, s.finished, 1)
	return s.finished[0]
}

func coded(code core.Code) error {
	return temporal.NewNonRetryableApplicationError("refused", string(code), nil)
}

// The layouts of all pages are requested at once; translations follow in page order although a later layout is ready first.
func TestPagesAreTranslatedInPageOrder(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.env.OnActivity(document.StepLayout, mock.Anything, mock.Anything).Return(
		func(_ context.Context, in document.LayoutInput) (document.LayoutOutput, error) {
			s.note(call{"layout", in.Item.Index, ""})
			return document.LayoutOutput{Texts: 1}, nil
		}).After(time.Second)
	s.run(5, document.ModeConcurrent)
	require.NoError(t, s.env.GetWorkflowError())
	var order []int
	for _, id := range slices.Sorted(maps.Keys(s.requested)) {
		order = append(order, s.requested[id])
	}
	require.Equal(t, []int{0, 1, 2, 3, 4}, order)
	require.ElementsMatch(t, []int{0, 1, 2, 3, 4}, s.pages("layout"))
	require.ElementsMatch(t, []int{0, 1, 2, 3, 4}, s.pages("typeset"))
	require.Equal(t, call{"write", -1, ""}, s.calls[len(s.calls)-1], "the result comes last, once")
	require.Equal(t, []int{-1}, s.pages("write"))
	require.Equal(t, core.FinishTaskInput{TaskID: "task"}, s.finish())
}

func TestAPageWithoutTextIsNotTranslated(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.layout = func(in document.LayoutInput) (document.LayoutOutput, error) {
		return document.LayoutOutput{Texts: in.Item.Index}, nil
	}
	s.run(3, document.ModeConcurrent)
	require.ElementsMatch(t, []int{1, 2}, s.pages("translate"))
	require.ElementsMatch(t, []int{0, 1, 2}, s.pages("typeset"))
}

// A model server that breaks under parallel calls is asked one at a time.
func TestAFailedConcurrentTranslationIsRepeatedSerially(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.translate = func(in document.TranslateInput) error {
		if in.Item.Index == 1 && in.Mode == document.ModeConcurrent {
			return temporal.NewApplicationError("overloaded", string(core.CodeTranslatorUnavailable))
		}
		return nil
	}
	s.run(3, document.ModeConcurrent)
	require.NoError(t, s.env.GetWorkflowError())
	require.Equal(t, []core.Mode{document.ModeConcurrent, document.ModeConcurrent, document.ModeConcurrent, document.ModeFallback}, s.modes("translate", 1))
	require.Equal(t, []core.Mode{document.ModeFallback}, s.modes("typeset", 1))
	require.Equal(t, []core.Mode{document.ModeConcurrent}, s.modes("typeset", 2))
}

// What a serial translation could not mend either is a failure of the page alone, and the result is still written.
func TestAPageFailsAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.translate = func(in document.TranslateInput) error {
		if in.Item.Index == 0 {
			return coded(core.CodeTranslatorRefused)
		}
		return nil
	}
	s.run(2, document.ModeConcurrent)
	require.Equal(t, []int{0}, s.pages("failed"))
	require.Equal(t, []core.Mode{document.ModeConcurrent}, s.modes("translate", 0), "a refusal is no reason for the serial branch")
	require.Equal(t, []int{1}, s.pages("typeset"))
	require.Equal(t, []int{-1}, s.pages("write"))
}

func TestSerialPagesHaveNoOtherMode(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.run(2, document.ModeSerial)
	require.Equal(t, []core.Mode{document.ModeSerial}, s.modes("translate", 0))
}

func TestATaskWithoutAResultFails(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.write = func() error { return coded(core.CodeInvalidDocument) }
	s.run(2, document.ModeConcurrent)
	failure := s.finish().Failure
	require.NotNil(t, failure)
	require.Equal(t, core.Failure{Stage: document.StageWrite, Code: core.CodeInvalidDocument, Message: "refused"}, *failure)
}

func TestWhereNoPageSucceedsNothingIsWritten(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.layout = func(document.LayoutInput) (document.LayoutOutput, error) {
		return document.LayoutOutput{}, coded(core.CodeInvalidDocument)
	}
	s.run(2, document.ModeConcurrent)
	require.Empty(t, s.pages("write"))
	require.Nil(t, s.finish().Failure)
}

// A retry of a task whose pages have all succeeded only writes the result.
func TestARetryWithoutPagesWritesTheResult(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.env.ExecuteWorkflow(string(document.Kind), workflows.TaskInput{
		TaskID: "task", Tenant: "press", Kind: document.Kind, Retry: 1, Carried: &workflows.Counts{Success: 2, Modes: map[core.Mode]int{document.ModeConcurrent: 2}},
		Options: document.Options{From: "en", To: "zh", Mode: document.ModeConcurrent, Pages: []int{0, 1}, Total: 2}.JSON(),
	})
	require.NoError(t, s.env.GetWorkflowError())
	require.Equal(t, []call{{"write", -1, ""}}, s.calls)
	require.Equal(t, core.FinishTaskInput{TaskID: "task", Retry: 1}, s.finish())
}

// Every page of a long document is processed, over several runs of its workflow.
func TestALongDocumentContinuesAsNew(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.env.SetCurrentHistoryLength(2000)
	s.run(300, document.ModeConcurrent)
	var next *workflow.ContinueAsNewError
	require.ErrorAs(t, s.env.GetWorkflowError(), &next)
	require.Empty(t, s.pages("write"), "only the last run writes the result")
	typeset := s.pages("typeset")
	slices.Sort(typeset)
	require.NotEmpty(t, typeset)
	require.Less(t, len(typeset), 300)
	require.Equal(t, len(typeset)-1, typeset[len(typeset)-1], "the first pages, all of them")
}
