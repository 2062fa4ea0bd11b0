package activities

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"plait/internal/records"
)

// span begins a part of a step, as a trace shows it; end ends it.
func span(ctx context.Context, name string) (end func()) {
	_, s := otel.Tracer("plait/activities").Start(ctx, name)
	return func() { s.End() }
}

// describe names the page on the span of its step.
func describe(ctx context.Context, run records.StageRun) {
	trace.SpanFromContext(ctx).SetAttributes(
		attribute.String("plait.task.id", run.Page.TaskID),
		attribute.Int("plait.page.index", run.Page.Index),
		attribute.String("plait.stage", string(run.Stage)),
		attribute.String("plait.mode", string(run.Mode)),
		attribute.Int("plait.attempt", run.Attempt),
	)
}
