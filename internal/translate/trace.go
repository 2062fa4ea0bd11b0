package translate

import (
	"cmp"
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"plait/internal/translate/ledger"
)

// notAsked is the outcome of a call that was not made, because the circuit of its model is open.
const notAsked = "circuit open"

// traced creates a span of a model call; end receives the finished call. The names are those of OpenTelemetry's semantic conventions for
// generative AI; the optional prompts and answers are omitted.
func traced(ctx context.Context, c ledger.Call) (_ context.Context, end func(ledger.Call)) {
	ctx, span := otel.Tracer("plait/internal/translate").Start(ctx, "chat "+c.Model,
		trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(
			attribute.String("gen_ai.operation.name", "chat"),
			attribute.String("gen_ai.provider.name", c.Provider),
			attribute.String("gen_ai.request.model", c.Model),
			attribute.String("plait.task.id", c.TaskID),
			attribute.Int("plait.page.index", c.Page),
		))
	return ctx, func(c ledger.Call) {
		// The span does not include the time to record the call.
		defer span.End(trace.WithTimestamp(c.StartedAt.Add(c.Latency)))
		if c.Outcome != ledger.OutcomeOK {
			span.SetStatus(codes.Error, cmp.Or(c.Outcome, notAsked))
			return
		}
		span.SetAttributes(
			attribute.String("gen_ai.response.model", c.Answer.Model),
			attribute.StringSlice("gen_ai.response.finish_reasons", []string{c.Answer.FinishReason}),
			attribute.Int("gen_ai.usage.input_tokens", c.Answer.InputTokens),
			attribute.Int("gen_ai.usage.output_tokens", c.Answer.OutputTokens),
			attribute.Int64("plait.cost_micros", c.CostMicros),
		)
	}
}
