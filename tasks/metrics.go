package tasks

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics count what sweeps did. A nil Metrics counts nothing.
type Metrics struct {
	swept *prometheus.CounterVec
	// webhooks is the age of the oldest message that waits for its receiver.
	webhooks prometheus.Gauge
}

// NewMetrics registers the metrics of sweeps.
func NewMetrics(to prometheus.Registerer) *Metrics {
	m := &Metrics{swept: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "plait_swept_total", Help: "Tasks, items, model calls, uploads, events, deliveries and blobs that sweeps repaired or removed, by action.",
	}, []string{"done"}), webhooks: prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "plait_webhook_oldest_pending_seconds", Help: "Age of the oldest message that is still tried, at the last sweep; 0 when none is.",
	})}
	for done := range (Swept{}).counts() {
		m.swept.WithLabelValues(done)
	}
	to.MustRegister(m.swept, m.webhooks)
	return m
}

func (m *Metrics) sweptOnce(s Swept) {
	if m == nil {
		return
	}
	for done, n := range s.counts() {
		m.swept.WithLabelValues(done).Add(float64(n))
	}
}

func (m *Metrics) webhooksWait(age time.Duration) {
	if m != nil {
		m.webhooks.Set(age.Seconds())
	}
}

// counts maps the names that the metrics use to the fields of s.
func (s Swept) counts() map[string]int {
	return map[string]int{
		"started": s.Started, "canceled": s.Canceled, "terminated": s.Terminated, "finished": s.Finished, "signaled": s.Signaled,
		"edited": s.Edited, "blobs_removed": s.BlobsRemoved, "uploads_expired": s.UploadsExpired, "files_removed": s.FilesRemoved,
		"tasks_deleted": s.TasksDeleted, "answers_erased": s.AnswersErased, "calls_deleted": s.CallsDeleted, "events_removed": s.EventsRemoved,
		"deliveries_given_up": s.DeliveriesGivenUp, "deliveries_removed": s.DeliveriesRemoved,
	}
}
