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

// NewMetricsHandler puts the metrics of a Temporal client and its workers into a Prometheus registry. It goes by way of
// OpenTelemetry because the SDK gives one metric several sets of labels, which the Prometheus client refuses.
func NewMetricsHandler(to prometheus.Registerer, log *slog.Logger) (client.MetricsHandler, error) {
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(to), otelprometheus.WithoutScopeInfo(), otelprometheus.WithoutTargetInfo())
	if err != nil {
		return nil, fmt.Errorf("metrics of Temporal: %w", err)
	}
	meter := metric.NewMeterProvider(metric.WithReader(exporter)).Meter("temporal")
	return opentelemetry.NewMetricsHandler(opentelemetry.MetricsHandlerOptions{
		Meter:                meter,
		UseMonotonicCounters: true,
		// The default is to panic, and a lost figure is no reason to lose a task.
		OnError: func(err error) {
			log.LogAttrs(context.Background(), slog.LevelWarn, "metric of Temporal lost", slog.Any("error", err))
		},
	}), nil
}
