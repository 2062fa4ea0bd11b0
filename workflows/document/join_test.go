package document_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
	"plait/internal/document"
	"plait/workflows"
)

// runningText makes every page begin and end in the middle of a paragraph.
func (s *stage) runningText() {
	s.layout = func(document.LayoutInput) (document.LayoutOutput, error) {
		return document.LayoutOutput{Texts: 3, RunsOn: true, RunsIn: true}, nil
	}
}

// asks are the translations that were requested of a page.
func (s *stage) asks(page int) (list []document.TranslateInput) {
	for _, in := range s.asked {
		if in.Item.Index == page {
			in.Item, in.Options = core.Item{}, document.Options{}
			list = append(list, in)
		}
	}
	return list
}

// position is the place of a call among all calls.
func (s *stage) position(match func(document.TranslateInput) bool) int {
	return slices.IndexFunc(s.asked, match)
}

func TestAParagraphOverTwoPagesIsAskedForOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.runningText()
	s.run(3, document.ModeConcurrent)
	require.NoError(t, s.env.GetWorkflowError())
	require.Equal(t, []document.TranslateInput{{Mode: document.ModeConcurrent, RunsOn: true}}, s.asks(0), "no page is before the first one")
	head := document.TranslateInput{Mode: document.ModeConcurrent, Attempts: 1, Head: document.HeadAlone}
	require.Equal(t, []document.TranslateInput{{Mode: document.ModeConcurrent, RunsOn: true, Head: document.HeadLater}, head}, s.asks(1))
	require.Equal(t, []document.TranslateInput{{Mode: document.ModeConcurrent, Head: document.HeadLater}, head}, s.asks(2), "no page is after the last one")
	for page := 1; page < 3; page++ {
		of := s.position(func(in document.TranslateInput) bool { return in.Item.Index == page-1 && in.RunsOn })
		alone := s.position(func(in document.TranslateInput) bool { return in.Item.Index == page && in.Head == document.HeadAlone })
		require.Less(t, of, alone, "page %d takes the answer of the page before", page)
	}
}

func TestPagesThatDoNotTouchAreTranslatedByThemselves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		layout func(page int) document.LayoutOutput
		pages  []int
	}{
		"the first ends a paragraph":      {func(page int) document.LayoutOutput { return document.LayoutOutput{Texts: 1, RunsIn: true} }, []int{0, 1}},
		"a page between is not chosen":    {func(int) document.LayoutOutput { return document.LayoutOutput{Texts: 1, RunsIn: true, RunsOn: true} }, []int{0, 2}},
		"the second begins no paragraphs": {func(page int) document.LayoutOutput { return document.LayoutOutput{Texts: 1} }, []int{0, 1}},
	} {
		s := newStage(t)
		s.layout = func(in document.LayoutInput) (document.LayoutOutput, error) { return c.layout(in.Item.Index), nil }
		options := document.Options{From: "en", To: "zh", Mode: document.ModeConcurrent, Output: document.OutputMono, Total: 3, Pages: c.pages}
		in := workflows.TaskInput{TaskID: "task", Tenant: "press", Kind: document.Kind, Options: options.JSON()}
		for i := range c.pages {
			in.Items = append(in.Items, core.Item{TaskID: "task", Tenant: "press", Index: i})
		}
		s.env.ExecuteWorkflow(string(document.Kind), in)
		require.NoError(t, s.env.GetWorkflowError(), name)
		for page := range c.pages {
			require.Equal(t, []document.TranslateInput{{Mode: document.ModeConcurrent}}, s.asks(page), name)
		}
	}
}

// A page that cannot be read has no text that runs on, and one whose translation fails leaves the paragraph to the next page.
func TestAParagraphSurvivesTheFailureOfItsPage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		layout, translate error
		want              []document.TranslateInput
	}{
		"layout": {layout: coded(core.CodeInvalidDocument), want: []document.TranslateInput{{Mode: document.ModeSerial}}},
		"translation": {translate: coded(core.CodeTranslatorRefused), want: []document.TranslateInput{
			{Mode: document.ModeSerial, Head: document.HeadLater}, {Mode: document.ModeSerial, Attempts: 1, Head: document.HeadAlone},
		}},
	} {
		s := newStage(t)
		s.layout = func(in document.LayoutInput) (document.LayoutOutput, error) {
			if in.Item.Index == 0 && c.layout != nil {
				return document.LayoutOutput{}, c.layout
			}
			return document.LayoutOutput{Texts: 2, RunsOn: true, RunsIn: true}, nil
		}
		s.translate = func(in document.TranslateInput) error {
			if in.Item.Index == 0 {
				return c.translate
			}
			return nil
		}
		s.run(2, document.ModeSerial)
		require.NoError(t, s.env.GetWorkflowError(), name)
		require.Equal(t, []int{0}, s.pages("failed"), name)
		require.Equal(t, c.want, s.asks(1), name)
		require.Equal(t, []int{1}, s.pages("typeset"), name)
	}
}

// The last page of a run knows the layout of the first page of the next run, which does not depend on where the history is full.
func TestAParagraphRunsOverTheEndOfARun(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.runningText()
	s.env.SetCurrentHistoryLength(2000)
	s.run(300, document.ModeConcurrent)
	var next *workflow.ContinueAsNewError
	require.ErrorAs(t, s.env.GetWorkflowError(), &next)
	last := len(s.pages("typeset")) - 1
	require.Equal(t, []document.TranslateInput{
		{Mode: document.ModeConcurrent, RunsOn: true, Head: document.HeadLater}, {Mode: document.ModeConcurrent, Attempts: 1, Head: document.HeadAlone},
	}, s.asks(last))
	require.Contains(t, s.pages("layout"), last+1)
	require.NotContains(t, s.pages("layout"), last+2)
	require.Empty(t, s.asks(last+1))
}

// In a retry, what is beside a page is in the records.
func TestARetriedPageJoinsThoseBesideIt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.runningText()
	s.env.ExecuteWorkflow(string(document.Kind), workflows.TaskInput{
		TaskID: "task", Tenant: "press", Kind: document.Kind, Retry: 1, Carried: &workflows.Counts{Success: 2, Modes: map[core.Mode]int{document.ModeConcurrent: 2}},
		Options: document.Options{From: "en", To: "zh", Mode: document.ModeConcurrent, Pages: []int{0, 1, 2}, Total: 3}.JSON(),
		Items:   []core.Item{{TaskID: "task", Tenant: "press", Index: 1}},
	})
	require.NoError(t, s.env.GetWorkflowError())
	require.Equal(t, []int{1}, s.pages("layout"))
	require.Equal(t, []document.TranslateInput{
		{Mode: document.ModeConcurrent, RunsOn: true, Head: document.HeadLater}, {Mode: document.ModeConcurrent, Attempts: 1, Head: document.HeadAlone},
	}, s.asks(1))
}
