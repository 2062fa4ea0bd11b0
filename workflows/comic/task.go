package comic

import (
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
)

// Task is the workflow of a task of comics: a chapter, or a single page.
func Task(ctx workflow.Context, in workflows.TaskInput) (core.TaskResult, error) {
	var options comic.Options
	if err := in.DecodeOptions(&options); err != nil {
		return core.TaskResult{}, err
	}
	if options.Mode != comic.ModeSplit && options.Mode != comic.ModeUnified {
		return core.TaskResult{}, workflows.Refuse(core.Errorf(core.CodeInvalidInput,
			"mode %q is neither %s nor %s", options.Mode, comic.ModeSplit, comic.ModeUnified))
	}
	c := &chapter{options: options, prefetch: &prefetch{}, order: &workflows.Ordering{}, near: &workflows.Ordering{}, found: &workflows.Ordering{}}
	if err := in.DecodeState(&c.prefetch.Latencies); err != nil {
		return core.TaskResult{}, err
	}
	routine := workflows.Routine{
		Admit:      func(ctx workflow.Context) error { return c.prefetch.wait(ctx, c.order) },
		Begin:      c.begin,
		State:      func() any { return c.prefetch.Latencies },
		Attributes: []temporal.SearchAttributeUpdate{workflows.KeyTargetLanguage.ValueSet(options.To)},
	}
	if options.Mode == comic.ModeUnified {
		// The page step translates too, and each translation receives the previous pages as context: one page at a time.
		routine.Window = 1
	}
	return workflows.Run(ctx, in, routine)
}

// chapter is the state that the pages of one run share.
type chapter struct {
	options  comic.Options
	prefetch *prefetch
	// order is the order of translations. near passes from page to page once a translation is requested, and found once the first try to
	// detect the page has ended.
	order, near, found *workflows.Ordering
}

func (c *chapter) begin(ctx workflow.Context, item *workflows.ItemRun) workflows.Process {
	page := &pageRun{
		ItemRun: item, options: c.options, prefetch: c.prefetch,
		turn: c.order.Next(ctx), near: c.near.Next(ctx), found: c.found.Next(ctx),
	}
	return page.run
}
