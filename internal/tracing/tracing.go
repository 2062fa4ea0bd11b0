// Package tracing sends the spans of a process to an OpenTelemetry collector. A trace shows what happened to a page, from the client's
// request to the model call, across all processes that took part.
//
// [Start] sets the tracer provider and the propagator of the process, which are globals of OpenTelemetry. Packages that create spans get
// their tracer from otel.Tracer; without a collector, their spans cost almost nothing. The protocol is OTLP over HTTP. No page waits for
// a trace: spans that the collector does not accept in time are dropped, and a log message says so at most once a minute.
//
// A span contains tasks, pages, stages, models and counts. It never contains a page's text, a prompt or a key.
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

// tracesPath is the path of spans below a collector's base URL (OTLP specification, "OTLP/HTTP Request").
const tracesPath = "v1/traces"

// complainEvery is the shortest interval between log messages about an unreachable collector.
const complainEvery = time.Minute

// Config says where to send spans, and which. Every field except Headers is required.
type Config struct {
	// Endpoint is the base URL of a collector, such as http://127.0.0.1:4318.
	Endpoint string
	// Headers are sent with every batch, for example to authenticate with a hosted collector.
	Headers map[string]string
	// Sample is the fraction of traces that is kept, 0 to 1. Processes with the same fraction keep the same traces.
	Sample float64
	// Service and Version are the name and version of this program.
	Service, Version string
	// Host and Instance identify this process among those of the same service.
	Host, Instance string
}

// Start begins to send the spans of this process. stop sends the remaining spans, until its context ends. Start fails with
// CodeInvalidInput for an endpoint that is not a URL; it does not fail when the collector cannot be reached.
func Start(ctx context.Context, c Config, log *slog.Logger) (stop func(context.Context) error, err error) {
	endpoint, err := url.Parse(c.Endpoint)
	if err != nil || endpoint.Host == "" || (endpoint.Scheme != "http" && endpoint.Scheme != "https") {
		return nil, core.NewError(core.CodeInvalidInput, "the address of the trace collector is not a URL such as http://host:4318")
	}
	exporter, err := otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(endpoint.JoinPath(tracesPath).String()), otlptracehttp.WithHeaders(c.Headers),
		otlptracehttp.WithCompression(otlptracehttp.GzipCompression),
	)
	if err != nil {
		return nil, fmt.Errorf("trace collector: %w", err)
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
		complaint.Do(func() { log.Warn("cannot deliver traces", "error", err) })
	}))
	return provider.Shutdown, nil
}
