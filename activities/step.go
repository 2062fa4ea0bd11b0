package activities

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strconv"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/activity"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records"
)

// endTimeout bounds the write of a failed run, which happens even when the step was canceled.
const endTimeout = 5 * time.Second

// Step is one attempt at a stage of an item. T is the result of the step.
type Step[T any] struct {
	Kind core.Kind
	Run  records.StageRun
	// UsesLease is set for a step that needs a lease of this process, so that no other process can run it.
	UsesLease bool
	// Urgent is set for a step that others wait for: it does not give way to tasks of a better priority. Neither does a step that
	// uses a lease.
	Urgent bool
	// Pays is set for a step that calls a model: see [Heartbeat].
	Pays bool
	// Details are statements of the kind that read more of the item when the run begins.
	Details []records.Statement
	// Recorded returns the result of an item that has ended, from its row; false means that the row has no result. Nil: no row has one.
	Recorded func(records.Item) (T, bool)
	// Work is not called for an item that has ended.
	Work func(context.Context, records.Item) (T, error)
}

// Run identifies the run of a stage that this activity is.
func (h *Host) Run(ctx context.Context, item core.Item, stage core.Stage, mode core.Mode) records.StageRun {
	return records.StageRun{
		Item: item, Stage: stage, Mode: mode, Host: h.Name,
		Attempt: item.Attempts + int(activity.GetInfo(ctx).Attempt),
	}
}

// Do runs a step of an item: it sends heartbeats, records the start and a failure, and converts the error for Temporal.
func (s Step[T]) Do(ctx context.Context, h *Host) (T, error) {
	if s.UsesLease {
		h.queueWait.see(ctx)
	}
	if !s.UsesLease && !s.Urgent {
		if err := h.giveWay(ctx, s.Run.Item); err != nil {
			var none T
			return none, err
		}
	}
	ctx, leave := Heartbeat(ctx, s.Pays)
	defer leave()
	describe(ctx, s.Kind, s.Run)
	started := time.Now()
	// Until the records are read, every earlier attempt counts as a fault.
	before := map[core.Code]int{core.CodeInternal: s.Run.Attempt - s.Run.Item.Attempts - 1}
	result, err := Guarded(func() (T, error) {
		begun, err := h.Records.BeginStage(ctx, s.Run, s.Details...)
		if err != nil {
			var none T
			return none, err
		}
		before = begun.Failures
		return s.do(ctx, begun)
	})
	h.Metrics.stageEnded(s.Kind, s.Run, core.CodeOf(err), time.Since(started))
	if err == nil {
		return result, nil
	}
	h.recordEnd(ctx, s.Run, err)
	return result, h.failure(ctx, s.UsesLease, before, err)
}

func (s Step[T]) do(ctx context.Context, begun records.Begun) (result T, err error) {
	if begun.Status.Ended() {
		if s.Recorded != nil {
			if result, ok := s.Recorded(begun.Item); ok {
				return result, nil
			}
		}
		return result, core.Errorf(core.CodeConflict, "the item has ended: %s", begun.Status)
	}
	if begun.Failures[core.CodeHostLost] >= maxLostWorkers {
		return result, errWorkersLost
	}
	return s.Work(ctx, begun.Item)
}

func (h *Host) recordEnd(ctx context.Context, run records.StageRun, failed error) {
	code := core.CodeOf(failed)
	log := h.Log.With(slog.String("item", run.Item.String()), slog.String("stage", string(run.Stage)), slog.Int("attempt", run.Attempt))
	log.Warn("step failed", slog.String("code", string(code)), slog.Any("error", failed))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if err := h.Records.EndStage(ctx, run, code, core.PublicMessage(failed), nil); err != nil {
		log.Warn("the failure of a step is not recorded", slog.Any("error", err))
	}
}

// Unrecorded converts the error of a step that has no run in the records, so that only Temporal counts its failures. UsesLease is as
// in [Step].
func (h *Host) Unrecorded(ctx context.Context, item core.Item, step string, usesLease bool, err error) error {
	h.Log.Warn("step failed", "item", item.String(), "step", step, "code", string(core.CodeOf(err)), "error", err)
	return h.failure(ctx, usesLease, map[core.Code]int{core.CodeInternal: int(activity.GetInfo(ctx).Attempt) - 1}, err)
}

// KeepResult stores the result of an item as a blob. It fails as [Host.KeepResults] does.
func (h *Host) KeepResult(ctx context.Context, item core.Item, result []byte) (core.BlobRef, error) {
	refs, err := h.KeepResults(ctx, item, result)
	return refs[0], err
}

// KeepResults stores the files of a result as blobs, at the same time. It holds the blobs before storing them, because another task with the
// same bytes may be deleted in between.
func (h *Host) KeepResults(ctx context.Context, item core.Item, files ...[]byte) ([]core.BlobRef, error) {
	refs := make([]core.BlobRef, len(files))
	for i, file := range files {
		refs[i] = core.NewBlobRef(sha256.Sum256(file))
	}
	if err := h.Records.HoldBlobs(ctx, item.TaskID, refs); err != nil {
		return refs, err
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, file := range files {
		group.Go(func() error {
			_, _, err := h.Blobs.Put(ctx, bytes.NewReader(file), int64(len(file)))
			return err
		})
	}
	return refs, group.Wait()
}

// KeyOf is a unique key of an item, for locks.
func KeyOf(item core.Item) string { return item.TaskID + "/" + strconv.Itoa(item.Index) }

// Guarded turns a panic into an error of the step, which is retried and counted as a fault.
func Guarded[T any](work func() (T, error)) (result T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = core.Wrap(core.CodeInternal, fmt.Errorf("panic: %v\n%s", p, debug.Stack()), "internal error")
		}
	}()
	return work()
}

// Span starts a span for a part of a step; end ends it.
func Span(ctx context.Context, name string) (end func()) {
	_, s := otel.Tracer("plait/activities").Start(ctx, name)
	return func() { s.End() }
}

// describe adds the item to the span of its step.
func describe(ctx context.Context, kind core.Kind, run records.StageRun) {
	trace.SpanFromContext(ctx).SetAttributes(
		attribute.String("plait.task.id", run.Item.TaskID),
		attribute.String("plait.task.kind", string(kind)),
		attribute.Int("plait.item.index", run.Item.Index),
		attribute.String("plait.stage", string(run.Stage)),
		attribute.String("plait.mode", string(run.Mode)),
		attribute.Int("plait.attempt", run.Attempt),
	)
}
