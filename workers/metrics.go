package workers

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/opentelemetry"
)

// latencies are the buckets of the SDK's histograms in seconds, from a poll that is answered at once to a step that waited an hour
// for a worker. The default buckets of OpenTelemetry are for milliseconds.
var latencies = metric.NewView(metric.Instrument{Kind: metric.InstrumentKindHistogram}, metric.Stream{
	Aggregation: metric.AggregationExplicitBucketHistogram{
		Boundaries: []float64{.003, .01, .03, .1, .3, 1, 3, 10, 30, 100, 300, 1000, 3600},
	},
})

// NewMetricsHandler registers the metrics of a Temporal client and its workers with Prometheus. It uses OpenTelemetry in between,
// because the SDK uses one metric with different sets of labels, which the Prometheus client refuses.
func NewMetricsHandler(to prometheus.Registerer, log *slog.Logger) (client.MetricsHandler, error) {
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(to), otelprometheus.WithoutScopeInfo(), otelprometheus.WithoutTargetInfo())
	if err != nil {
		return nil, fmt.Errorf("metrics of Temporal: %w", err)
	}
	meter := metric.NewMeterProvider(metric.WithReader(exporter), metric.WithView(latencies)).Meter("temporal")
	return opentelemetry.NewMetricsHandler(opentelemetry.MetricsHandlerOptions{
		Meter:                meter,
		UseMonotonicCounters: true,
		// The default handler panics, but a lost metric must not fail a task.
		OnError: func(err error) {
			log.LogAttrs(context.Background(), slog.LevelWarn, "metric of Temporal lost", slog.Any("error", err))
		},
	}), nil
}
