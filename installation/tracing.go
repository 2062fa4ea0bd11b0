package installation

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/interceptor"

	"plait/internal/config"
	"plait/internal/tracing"
)

// flushTimeout bounds the export of the last spans when a process stops.
const flushTimeout = 5 * time.Second

// startTracing exports the spans of this process to the configured destination, if there is one.
func startTracing(ctx context.Context, l *config.Loaded, service, version, host, instance string, log *slog.Logger) (stop func(), err error) {
	if l.Tracing.Endpoint == "" {
		return func() {}, nil
	}
	flush, err := tracing.Start(ctx, tracing.Config{
		Endpoint: l.Tracing.Endpoint, Headers: l.Tracing.Headers, Sample: l.Tracing.Sample,
		Service: service, Version: version, Host: host, Instance: instance,
	}, log)
	if err != nil {
		return nil, err
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
		defer cancel()
		if err := flush(ctx); err != nil {
			log.Warn("the last traces were not exported", "error", err)
		}
	}, nil
}

// tracedWorkflows propagate a trace from the caller that starts a workflow into the workflow and its steps, in Temporal's headers.
func tracedWorkflows(l *config.Loaded) ([]interceptor.ClientInterceptor, error) {
	if l.Tracing.Endpoint == "" {
		return nil, nil
	}
	traced, err := opentelemetry.NewTracingInterceptor(opentelemetry.TracerOptions{
		Tracer:            otel.Tracer("plait/workflows"),
		TextMapPropagator: otel.GetTextMapPropagator(),
		DisableBaggage:    true,
		// A task that was accepted under another tracing configuration must still run.
		AllowInvalidParentSpans: true,
	})
	if err != nil {
		return nil, err
	}
	return []interceptor.ClientInterceptor{traced}, nil
}
