// Package document contains the workflow of documents: [Task] translates the pages of a PDF file.
//
// The layouts of all pages are requested at once, so that they run on as many workers as there are. Pages are translated in page order, as
// soon as their layouts are known, and set as soon as they are translated. The last step writes the files of the result from the pages.
//
// A paragraph that runs over two pages is translated as one text, with the page on which it begins. The other page takes its part from the
// recorded answer.
//
// In mode concurrent, a page translates its paragraphs and table cells at the same time. When that fails as a whole, the compensating branch
// translates the page serially: a model server that breaks under parallel calls may still answer one at a time.
package document

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
	"plait/internal/document"
	"plait/workflows"
)

// The task queues of documents.
const (
	// QueueLayout carries the layout of pages, and QueueTypeset what follows their translation. They need no lease.
	QueueLayout  = "plait-document-layout"
	QueueTypeset = "plait-document-typeset"
	// QueueTranslate carries translations, which need no device.
	QueueTranslate = "plait-document-translate"
)

const (
	// stepsPerPage are layout, two translations, that of a paragraph from the page before, typeset and the record of a failure.
	stepsPerPage = 6
	// concurrentTries bounds the concurrent translation of a page, because the serial one follows it.
	concurrentTries = 3
	// writeTimeout allows for the largest document: 10,000 pages at a tenth of a second each.
	writeTimeout = 20 * time.Minute
)

// Task is the workflow of a task of documents.
func Task(ctx workflow.Context, in workflows.TaskInput) (core.TaskResult, error) {
	d := &run{order: &workflows.Ordering{}, in: in, neighbors: newNeighbors(in.Items)}
	if err := in.DecodeOptions(&d.options); err != nil {
		return core.TaskResult{}, err
	}
	return workflows.Run(ctx, in, workflows.Routine{
		Window: workflows.MaxWindow, StepsPerItem: stepsPerPage,
		Begin: d.begin, Begun: func() { d.neighbors.begun = true }, Conclude: d.write,
		Attributes: []temporal.SearchAttributeUpdate{workflows.KeyTargetLanguage.ValueSet(d.options.To)},
	})
}

// run is the state that the pages of one run share.
type run struct {
	in      workflows.TaskInput
	options document.Options
	// order is the order in which translations are requested.
	order     *workflows.Ordering
	neighbors *neighbors
}

func (d *run) begin(ctx workflow.Context, item *workflows.ItemRun) workflows.Process {
	p := &page{ItemRun: item, options: d.options, turn: d.order.Next(ctx), passed: d.neighbors.begin(item.Index), neighbors: d.neighbors}
	return p.run
}

// write writes the files of the result.
func (d *run) write(ctx workflow.Context) error {
	options := workflows.DeviceStep(QueueTypeset)
	options.StartToCloseTimeout = writeTimeout
	options.Summary = "write the result"
	return workflows.Execute(ctx, workflows.Step{Stage: document.StageWrite, Name: document.StepWrite, Options: options},
		document.WriteInput{TaskID: d.in.TaskID, Tenant: d.in.Tenant, Options: d.options}, nil)
}
