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
	// passed is what the page has passed, and neighbors has the same of the pages beside it.
	passed    *passed
	neighbors *neighbors
}

func layoutStep() workflows.Step {
	return workflows.Step{Stage: document.StageLayout, Name: document.StepLayout, Options: workflows.DeviceStep(QueueLayout)}
}

// run is the process of a page.
func (p *page) run(ctx workflow.Context) (core.Mode, error) {
	defer p.turn.Pass()
	defer p.passed.end()
	var found document.LayoutOutput
	if err := p.Step(ctx, layoutStep(), document.LayoutInput{Item: p.Item, Options: p.options}, &found); err != nil {
		return p.options.Mode, err
	}
	p.passed.found, p.passed.laidOut = found, true
	mode := p.options.Mode
	if found.Texts > 0 {
		translated, err := p.translate(ctx)
		if mode = translated; err != nil {
			return mode, err
		}
	}
	p.turn.Pass()
	step := workflows.Step{Stage: document.StageTypeset, Name: document.StepTypeset, Options: workflows.DeviceStep(QueueTypeset)}
	return mode, p.Step(ctx, step, document.TypesetInput{Item: p.Item, Options: p.options, Mode: mode}, nil)
}

// translate requests the translation of the page in its turn, which it then passes on: translations are requested in page order, and run
// concurrently. A paragraph that begins on the page before follows once that page has been translated.
func (p *page) translate(ctx workflow.Context) (core.Mode, error) {
	in := document.TranslateInput{Item: p.Item, Options: p.options, Mode: p.options.Mode}
	p.WaitFor(ctx, document.StageTranslate)
	if err := p.turn.Wait(ctx); err != nil {
		return in.Mode, err
	}
	if in.RunsOn = p.passed.found.RunsOn && p.options.Adjacent(p.Index); in.RunsOn {
		if err := p.neighbors.awaitNext(ctx, p.Index, p.options); err != nil {
			return in.Mode, err
		}
	}
	if err := p.WaitWhilePaused(ctx); err != nil {
		return in.Mode, err
	}
	p.turn.Pass()
	runsIn := p.passed.found.RunsIn && p.options.Adjacent(p.Index-1) && p.neighbors.before(p.Index)
	if runsIn {
		in.Head = document.HeadLater
	}
	mode, out, err := p.translateTexts(ctx, in)
	p.passed.translated = true
	if err != nil || !runsIn {
		return mode, err
	}
	p.WaitFor(ctx, document.StageTranslate)
	if err := p.neighbors.awaitBefore(ctx, p.Index); err != nil {
		return mode, err
	}
	in = document.TranslateInput{Item: p.Item, Options: p.options, Mode: mode, Attempts: out.Attempts, Head: document.HeadAlone}
	step := workflows.Step{Stage: document.StageTranslate, Name: document.StepTranslate, Options: workflows.ModelStep(QueueTranslate)}
	return mode, p.Step(ctx, step, in, nil)
}

// translateTexts translates the texts of the page, and returns the mode in which that ended.
func (p *page) translateTexts(ctx workflow.Context, in document.TranslateInput) (mode core.Mode, out document.TranslateOutput, err error) {
	step := workflows.Step{Stage: document.StageTranslate, Name: document.StepTranslate, Options: translateOptions(in.Mode)}
	err = p.Step(ctx, step, in, &out)
	if err == nil || in.Mode == document.ModeSerial || !workflows.IsTransient(err) {
		return in.Mode, out, err
	}
	workflow.GetLogger(ctx).Warn("the concurrent translation failed, the page is translated serially", "page", p.Index, "error", err)
	in.Mode, in.Attempts = document.ModeFallback, concurrentTries
	step.Options = translateOptions(in.Mode)
	err = p.Step(ctx, step, in, &out)
	return in.Mode, out, err
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
