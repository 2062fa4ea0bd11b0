package document

import (
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
	"plait/internal/document"
	"plait/workflows"
)

// neighbors is how far the pages of a run have come, for the pages beside them: a paragraph that runs over two pages is translated with the
// first of them, once the layout of the second is known.
type neighbors struct {
	// items are the pages of the run, and those after it, by their index.
	items map[int]core.Item
	pages map[int]*passed
	// begun is set when the run begins no more pages.
	begun bool
}

// passed is what a page has passed. A page that has ended has passed both stages.
type passed struct {
	found               document.LayoutOutput
	laidOut, translated bool
}

func newNeighbors(items []core.Item) *neighbors {
	n := &neighbors{items: map[int]core.Item{}, pages: map[int]*passed{}}
	for _, item := range items {
		n.items[item.Index] = item
	}
	return n
}

// begin adds a page that begins.
func (n *neighbors) begin(item int) *passed {
	n.pages[item] = &passed{}
	return n.pages[item]
}

// end notes that a page has ended.
func (p *passed) end() { p.laidOut, p.translated = true, true }

// before reports whether the first paragraph of a page may begin on the page before: it is certain only of pages of the same run.
func (n *neighbors) before(item int) bool {
	before := n.pages[item-1]
	return before == nil || before.found.RunsOn
}

// awaitBefore returns when the page before has been translated.
func (n *neighbors) awaitBefore(ctx workflow.Context, item int) error {
	before := n.pages[item-1]
	return workflow.Await(ctx, func() bool { return before == nil || before.translated })
}

// awaitNext returns when the layout of the next page has ended. The last page of a run requests that layout itself, because the next run
// begins only after it.
func (n *neighbors) awaitNext(ctx workflow.Context, item int, options document.Options) error {
	next, comes := n.items[item+1]
	if !comes { // it has ended before a retry
		return nil
	}
	err := workflow.Await(ctx, func() bool {
		page := n.pages[next.Index]
		return page != nil && page.laidOut || page == nil && n.begun
	})
	if err != nil || n.pages[next.Index] != nil {
		return err
	}
	err = workflows.Execute(ctx, layoutStep(), document.LayoutInput{Item: next, Options: options}, nil)
	if err != nil && ctx.Err() == nil { // the run of the page fails with it
		workflow.GetLogger(ctx).Warn("the layout of the next page failed", "page", next.Index, "error", err)
		return nil
	}
	return err
}
