package workers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"plait/activities"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/workers"
	"plait/workflows"
	documentflow "plait/workflows/document"
)

// documentSteps are steps of documents without PDF files: each page ends in a text that goes on on the next one. The first page is too large,
// and the model refuses concurrent calls for the second one.
type documentSteps struct{ *activities.Host }

func (s documentSteps) layout(ctx context.Context, in document.LayoutInput) (document.LayoutOutput, error) {
	return documentStep(ctx, s, in.Item, document.StageLayout, func(context.Context, records.StageRun) (document.LayoutOutput, error) {
		if in.Item.Index == 0 {
			return document.LayoutOutput{}, core.NewError(core.CodeTooLarge, "the page is too large")
		}
		return document.LayoutOutput{Texts: 1, RunsOn: true, RunsIn: true}, nil
	})
}

func (s documentSteps) translate(ctx context.Context, in document.TranslateInput) (document.TranslateOutput, error) {
	return documentStep(ctx, s, in.Item, document.StageTranslate, func(context.Context, records.StageRun) (document.TranslateOutput, error) {
		if in.Item.Index == 1 && in.Mode == document.ModeConcurrent {
			err := core.NewError(core.CodeTranslatorUnavailable, "too many calls")
			err.RetryAfter = 1 // nanosecond
			return document.TranslateOutput{}, err
		}
		return document.TranslateOutput{Translated: 1}, nil
	})
}

func (s documentSteps) typeset(ctx context.Context, in document.TypesetInput) (core.BlobRef, error) {
	return documentStep(ctx, s, in.Item, document.StageTypeset, func(ctx context.Context, run records.StageRun) (core.BlobRef, error) {
		ref, err := s.KeepResult(ctx, in.Item, []byte("{}"))
		if err != nil {
			return "", err
		}
		return ref, s.Records.FinishItem(ctx, run, records.Finished{Mode: in.Mode, Result: ref})
	})
}

func (s documentSteps) write(context.Context, document.WriteInput) error { return nil }

// documentStep runs a step, and closes its run.
func documentStep[T any](
	ctx context.Context, s documentSteps, item core.Item, stage core.Stage, work func(context.Context, records.StageRun) (T, error),
) (T, error) {
	run := s.Run(ctx, item, stage, document.ModeConcurrent)
	run.Rank = document.Rank(stage)
	return activities.Step[T]{Kind: document.Kind, Run: run, Work: func(ctx context.Context, _ records.Item) (T, error) {
		result, err := work(ctx, run)
		if err != nil || stage == document.StageTypeset {
			return result, err
		}
		return result, s.Records.EndStage(ctx, run, "", "", nil)
	}}.Do(ctx, s.Host)
}

// A document of which a page fails, and of which another is translated serially, has a history that later versions can replay.
func TestADocumentWithAPageThatFailsAndOneThatFallsBack(t *testing.T) {
	r := newRig(t)
	role := workers.Role("document")
	self := activities.New(activities.Deps{Blobs: r.blobs, Records: r.records, Leases: lease.New(lease.Config{}), Name: "host", Queue: "host"})
	steps := documentSteps{self}
	kind := workers.Kind{Name: document.Kind, Workflow: documentflow.Task, Queues: []workers.Queue{
		{Name: documentflow.QueueLayout, Role: role, Slots: 2, Steps: map[string]any{document.StepLayout: steps.layout}},
		{Name: documentflow.QueueTypeset, Role: role, Slots: 2, Steps: map[string]any{document.StepTypeset: steps.typeset, document.StepWrite: steps.write}},
		{Name: documentflow.QueueTranslate, Role: workers.RoleTranslate, Slots: 2, Steps: map[string]any{document.StepTranslate: steps.translate}},
	}}
	r.serve(self, kind, role)

	in := r.document(3)
	require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.StatusPartial, result.Status)
	require.Equal(t, 2, result.SuccessCount)
	items, err := r.records.Items(t.Context(), in.TaskID)
	require.NoError(t, err)
	require.Equal(t, []core.Mode{document.ModeFallback, document.ModeConcurrent}, []core.Mode{items[1].Mode, items[2].Mode})
	record(t, r, in, "document")
}

// A canceled document ends the pages that are laid out, and begins no more of them.
func TestACanceledDocumentBeginsNoMorePages(t *testing.T) {
	const slots, pages = 2, 12
	r := newRig(t)
	role := workers.Role("document")
	self := activities.New(activities.Deps{Blobs: r.blobs, Records: r.records, Leases: lease.New(lease.Config{}), Name: "host", Queue: "host"})
	steps := documentSteps{self}
	held, ended := make(chan struct{}, pages), make(chan error, pages)
	layout := func(ctx context.Context, in document.LayoutInput) (document.LayoutOutput, error) {
		return documentStep(ctx, steps, in.Item, document.StageLayout, func(ctx context.Context, _ records.StageRun) (out document.LayoutOutput, err error) {
			held <- struct{}{}
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return out, ctx.Err()
		})
	}
	r.serve(self, workers.Kind{Name: document.Kind, Workflow: documentflow.Task, Queues: []workers.Queue{
		{Name: documentflow.QueueLayout, Role: role, Slots: slots, CancelWithin: 250 * time.Millisecond, Steps: map[string]any{document.StepLayout: layout}},
	}}, role)
	in := r.document(pages)
	require.NoError(t, workflows.Start(t.Context(), r.client, in.TaskInput, in.share))
	for range slots {
		await(t, held, "a page that is laid out")
	}
	require.NoError(t, workflows.Cancel(t.Context(), r.client, in.TaskID))
	result, err := r.wait(in)
	require.True(t, temporal.IsCanceledError(err), "%v", err)
	require.Zero(t, result.SuccessCount)
	require.Len(t, ended, slots)
	for range slots {
		require.True(t, temporal.IsCanceledError(<-ended))
	}
	require.Empty(t, held)
	task, err := r.records.Task(t.Context(), tenant, in.TaskID)
	require.NoError(t, err)
	require.Equal(t, core.StatusCanceled, task.Status)
}

// serve runs a worker of the roles control, translate and another one, until the test ends.
func (r *rig) serve(self *activities.Host, kind workers.Kind, role workers.Role) {
	t := r.t
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- workers.Run(ctx, workers.Config{
			Client: r.client, Roles: []workers.Role{workers.RoleControl, role, workers.RoleTranslate}, Host: self, Instance: "1",
			Kinds: []workers.Kind{kind}, OnReady: func() { close(ready) },
		})
	}()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
	await(t, ready, "a worker")
}

// document writes a task of a document with so many pages, and returns the input of its workflow.
func (r *rig) document(pages int) chapter {
	r.t.Helper()
	options := document.Options{From: "en", To: "de", Mode: document.ModeConcurrent, Output: document.OutputMono, Dual: document.DualAlternating, Domain: "general", Total: pages}
	in := chapter{TaskInput: workflows.TaskInput{TaskID: uuid.NewString(), Tenant: tenant, Kind: document.Kind, Title: r.t.Name()}}
	ref, _, err := r.blobs.Put(r.t.Context(), strings.NewReader("the document"), 1<<20)
	require.NoError(r.t, err)
	for i := range pages {
		options.Pages = append(options.Pages, i)
		in.Items = append(in.Items, core.Item{TaskID: in.TaskID, Tenant: tenant, Index: i, Name: fmt.Sprintf("page %d", i+1), Blob: ref})
	}
	in.TaskInput.Options = options.JSON()
	_, created, err := r.records.CreateTask(r.t.Context(), records.NewTask{
		ID: in.TaskID, Tenant: tenant, Kind: in.Kind, Title: in.Title, Options: in.TaskInput.Options, Items: in.Items,
	})
	require.NoError(r.t, err)
	require.True(r.t, created)
	return in
}
