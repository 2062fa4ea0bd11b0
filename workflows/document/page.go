package document

import (
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
	"plait/internal/document"
	"plait/workflows"
)

// page is the run of one page.
type page struct {
	*workflows.ItemRun
	options document.Options
	// turn is the turn of the page to request its translation.
	turn workflows.Turn
}

// run is the process of a page.
func (p *page) run(ctx workflow.Context) (core.Mode, error) {
	defer p.turn.Pass()
	var found document.LayoutOutput
	step := workflows.Step{Stage: document.StageLayout, Name: document.StepLayout, Options: workflows.DeviceStep(QueueLayout)}
	if err := p.Step(ctx, step, document.LayoutInput{Item: p.Item, Options: p.options}, &found); err != nil {
		return p.options.Mode, err
	}
	mode := p.options.Mode
	if found.Texts > 0 {
		translated, err := p.translate(ctx)
		if mode = translated; err != nil {
			return mode, err
		}
	}
	p.turn.Pass()
	step = workflows.Step{Stage: document.StageTypeset, Name: document.StepTypeset, Options: workflows.DeviceStep(QueueTypeset)}
	return mode, p.Step(ctx, step, document.TypesetInput{Item: p.Item, Options: p.options, Mode: mode}, nil)
}

// translate requests the translation of the page in its turn, which it then passes on: translations are requested in page order, and run
// concurrently.
func (p *page) translate(ctx workflow.Context) (core.Mode, error) {
	p.WaitFor(ctx, document.StageTranslate)
	if err := p.turn.Wait(ctx); err != nil {
		return p.options.Mode, err
	}
	if err := p.WaitWhilePaused(ctx); err != nil {
		return p.options.Mode, err
	}
	p.turn.Pass()
	in := document.TranslateInput{Item: p.Item, Options: p.options, Mode: p.options.Mode}
	step := workflows.Step{Stage: document.StageTranslate, Name: document.StepTranslate, Options: translateOptions(in.Mode)}
	err := p.Step(ctx, step, in, nil)
	if err == nil || in.Mode == document.ModeSerial || !workflows.IsTransient(err) {
		return in.Mode, err
	}
	workflow.GetLogger(ctx).Warn("the concurrent translation failed, the page is translated serially", "page", p.Index, "error", err)
	in.Mode, in.Attempts = document.ModeFallback, concurrentTries
	step.Options = translateOptions(in.Mode)
	return in.Mode, p.Step(ctx, step, in, nil)
}

func translateOptions(mode core.Mode) workflow.ActivityOptions {
	options := workflows.ModelStep(QueueTranslate)
	if mode == document.ModeConcurrent {
		retries := temporal.RetryPolicy{}
		if options.RetryPolicy != nil {
			retries = *options.RetryPolicy
		}
		retries.MaximumAttempts = concurrentTries
		options.RetryPolicy = &retries
	}
	return options
}
