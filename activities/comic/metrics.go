package comic

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
)

// Metrics are the Prometheus metrics of comics, besides those of every kind.
type Metrics struct {
	fallbacks *prometheus.CounterVec
	edits     *prometheus.HistogramVec
	overflows *prometheus.CounterVec
}

// NewMetrics registers the metrics.
func NewMetrics(to prometheus.Registerer) *Metrics {
	m := &Metrics{
		fallbacks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_comic_fallbacks_total", Help: "Pages that took the compensating branch, by what had become of their lease.",
		}, []string{"cause"}),
		edits: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plait_comic_edit_seconds", Help: "Time in which a page was lettered again with its edits, by its end.",
			Buckets: activities.StageBuckets,
		}, []string{"code"}),
		overflows: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_comic_overflow_texts_total",
			Help: "Texts that did not fit at first: lettered in a shorter form (shortened), or still overflowing (overflow).",
		}, []string{"end"}),
	}
	to.MustRegister(m.fallbacks, m.edits, m.overflows)
	return m
}

func (m *Metrics) fellBack(cause core.Code) {
	if m != nil {
		m.fallbacks.WithLabelValues(string(cause)).Inc()
	}
}

func (m *Metrics) editEnded(code core.Code, d time.Duration) {
	if m != nil {
		m.edits.WithLabelValues(string(code)).Observe(d.Seconds())
	}
}

func (m *Metrics) lettered(out comic.PageOutput) {
	if m != nil {
		m.overflows.WithLabelValues("shortened").Add(float64(len(out.Shortened)))
		m.overflows.WithLabelValues("overflow").Add(float64(len(out.Overflow)))
	}
}
