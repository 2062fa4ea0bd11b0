package tasks

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"plait/internal/core"
	"plait/internal/records"
)

// Metrics count what sweeps did. A nil Metrics counts nothing.
type Metrics struct {
	swept *prometheus.CounterVec
	// webhooks is the age of the oldest message that waits for its receiver.
	webhooks prometheus.Gauge
	// tasks counts tasks by kind and status, and oldest is the age of the oldest queued one by kind.
	tasks, oldest *prometheus.GaugeVec
}

// NewMetrics registers the metrics of sweeps.
func NewMetrics(to prometheus.Registerer) *Metrics {
	m := &Metrics{swept: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "plait_swept_total", Help: "Tasks, items, model calls, uploads, events, deliveries, idempotency keys and blobs that sweeps repaired or removed, by action.",
	}, []string{"done"}), webhooks: prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "plait_webhook_oldest_pending_seconds", Help: "Age of the oldest message that is still tried, at the last sweep; 0 when none is.",
	}), tasks: prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "plait_tasks", Help: "Tasks that have not ended, by kind and status, at the last sweep.",
	}, []string{"kind", "status"}), oldest: prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "plait_task_oldest_queued_seconds", Help: "Time that the oldest queued task has waited, by kind, at the last sweep.",
	}, []string{"kind"})}
	for done := range (Swept{}).counts() {
		m.swept.WithLabelValues(done)
	}
	to.MustRegister(m.swept, m.webhooks, m.tasks, m.oldest)
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

func (m *Metrics) work(list []records.Work) {
	if m == nil {
		return
	}
	m.tasks.Reset() // of kinds without tasks
	m.oldest.Reset()
	for _, w := range list {
		kind := string(w.Kind)
		m.oldest.WithLabelValues(kind).Set(w.OldestQueued.Seconds())
		for status, n := range map[core.Status]int64{core.StatusQueued: w.Queued, core.StatusRunning: w.Running, core.StatusPaused: w.Paused} {
			m.tasks.WithLabelValues(kind, string(status)).Set(float64(n))
		}
	}
}

// counts maps the names that the metrics use to the fields of s.
func (s Swept) counts() map[string]int {
	return map[string]int{
		"started": s.Started, "canceled": s.Canceled, "terminated": s.Terminated, "finished": s.Finished, "signaled": s.Signaled,
		"edited": s.Edited, "blobs_removed": s.BlobsRemoved, "uploads_expired": s.UploadsExpired, "files_removed": s.FilesRemoved,
		"tasks_deleted": s.TasksDeleted, "answers_erased": s.AnswersErased, "calls_deleted": s.CallsDeleted, "events_removed": s.EventsRemoved,
		"deliveries_given_up": s.DeliveriesGivenUp, "deliveries_removed": s.DeliveriesRemoved, "requests_forgotten": s.RequestsForgotten,
	}
}
