package translators

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"plait/internal/translate/ledger"
)

// Metrics are the Prometheus metrics of a process's model calls.
type Metrics struct {
	calls   *prometheus.HistogramVec
	tokens  *prometheus.CounterVec
	cost    *prometheus.CounterVec
	circuit *prometheus.GaugeVec
}

// NewMetrics registers the metrics of model calls, or returns those that are registered already: the kinds of a process share them.
func NewMetrics(to prometheus.Registerer) *Metrics {
	m := &Metrics{
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plait_model_call_seconds", Help: "Time of a model call, by its outcome.",
			Buckets: []float64{.1, .3, 1, 2, 5, 10, 20, 60, 120},
		}, []string{"provider", "model", "outcome"}),
		tokens: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_model_tokens_total", Help: "Tokens of model calls, input and output.",
		}, []string{"provider", "model", "direction"}),
		cost: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_model_cost_total", Help: "Cost of model calls by the price table, in its currency.",
		}, []string{"provider", "model"}),
		circuit: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "plait_model_circuit_open", Help: "1 while a model is not asked because it has failed too often in a row.",
		}, []string{"provider", "model"}),
	}
	m.calls, m.tokens, m.cost, m.circuit = registered(to, m.calls), registered(to, m.tokens), registered(to, m.cost), registered(to, m.circuit)
	return m
}

// registered registers a collector, or returns the one that has its place.
func registered[T prometheus.Collector](to prometheus.Registerer, c T) T {
	err := to.Register(c)
	var taken prometheus.AlreadyRegisteredError
	if errors.As(err, &taken) {
		if there, ok := taken.ExistingCollector.(T); ok {
			return there
		}
	}
	if err != nil {
		panic(err) // cannot happen: no other metric has the name
	}
	return c
}

// Called counts a call.
func (m *Metrics) Called(c ledger.Call) {
	m.calls.WithLabelValues(c.Provider, c.Model, c.Outcome).Observe(c.Latency.Seconds())
	m.tokens.WithLabelValues(c.Provider, c.Model, "input").Add(float64(c.Answer.InputTokens))
	m.tokens.WithLabelValues(c.Provider, c.Model, "output").Add(float64(c.Answer.OutputTokens))
	m.cost.WithLabelValues(c.Provider, c.Model).Add(float64(c.CostMicros) / 1e6)
}

// Circuit records whether the circuit of a model is open.
func (m *Metrics) Circuit(provider, model string, open bool) {
	value := 0.0
	if open {
		value = 1
	}
	m.circuit.WithLabelValues(provider, model).Set(value)
}
