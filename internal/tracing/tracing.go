// Package tracing sends the spans of a process to a collector: what happened to a page, from the request that asked for it
// to the model call that answered, over all processes that took part.
//
// [Start] sets the tracer provider and the propagator of the process, which OpenTelemetry keeps as globals: the packages
// that make spans ask otel.Tracer for theirs, and without a collector their spans cost next to nothing. The protocol is
// OTLP over HTTP, which every collector speaks. Spans that a collector does not take in time are dropped, and said so
// once a minute: no page waits for a trace.
//
// A span names tasks, pages, stages, models and counts. It never holds a page's text, a prompt or a key.
package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"golang.org/x/time/rate"

	"plait/internal/core"
)

// tracesPath is where collectors take spans, below their base address (OTLP specification, "OTLP/HTTP Request").
const tracesPath = "v1/traces"

// complainEvery bounds what a collector that is away says in the log.
const complainEvery = time.Minute

// Config is where spans go, and how many. Every field but Headers is required.
type Config struct {
	// Endpoint is the base URL of a collector, such as http://127.0.0.1:4318.
	Endpoint string
	// Headers go with every batch: what a hosted collector wants for authentication.
	Headers map[string]string
	// Sample is the share of traces that is kept, 0 to 1. Processes with the same share keep the same traces.
	Sample float64
	// Service and Version are those of this process.
	Service, Version string
	// Host and Instance tell processes of one service apart.
	Host, Instance string
}

// Start sends the spans of this process from now on. stop sends what is left, until its context ends. It fails with
// CodeInvalidInput for an endpoint that is no URL; a collector that is away is no failure.
func Start(ctx context.Context, c Config, log *slog.Logger) (stop func(context.Context) error, err error) {
	endpoint, err := url.Parse(c.Endpoint)
	if err != nil || endpoint.Host == "" || (endpoint.Scheme != "http" && endpoint.Scheme != "https") {
		return nil, core.NewError(core.CodeInvalidInput, "the collector of traces is not a URL such as http://host:4318")
	}
	exporter, err := otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(endpoint.JoinPath(tracesPath).String()), otlptracehttp.WithHeaders(c.Headers),
		otlptracehttp.WithCompression(otlptracehttp.GzipCompression),
	)
	if err != nil {
		return nil, fmt.Errorf("collector of traces: %w", err)
	}
	provider := trace.NewTracerProvider(
		trace.WithBatcher(exporter),
		trace.WithSampler(trace.ParentBased(trace.TraceIDRatioBased(c.Sample))),
		trace.WithResource(resource.NewSchemaless(
			semconv.ServiceName(c.Service), semconv.ServiceVersion(c.Version),
			semconv.ServiceInstanceID(c.Instance), semconv.HostName(c.Host),
		)),
	)
	otel.SetTracerProvider(provider)
	otel.SetTextMapPropagator(propagation.TraceContext{})
	complaint := &rate.Sometimes{Interval: complainEvery}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		complaint.Do(func() { log.Warn("traces are not delivered", "error", err) })
	}))
	return provider.Shutdown, nil
}
