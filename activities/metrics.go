package activities

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
)

// StageBuckets are the buckets of durations in seconds, from an item whose row has the answer to an item that waits an hour for its
// model.
var StageBuckets = []float64{.01, .03, .1, .3, 1, 3, 10, 30, 100, 300, 1000, 3600}

// Metrics are the Prometheus metrics of the steps of a process, by kind.
type Metrics struct {
	stages   *prometheus.HistogramVec
	busy     *prometheus.CounterVec
	wait     *prometheus.HistogramVec
	slotWait *prometheus.HistogramVec
	webhooks *prometheus.CounterVec
}

// NewMetrics registers the metrics of steps and, if leases is not nil, of the cache of leases.
func NewMetrics(to prometheus.Registerer, leases *lease.Cache) *Metrics {
	m := &Metrics{
		stages: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plait_stage_seconds", Help: "Time of a run of a stage, with all its waiting, by its end.", Buckets: StageBuckets,
		}, []string{"kind", "stage", "mode", "code"}),
		busy: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_device_busy_seconds_total", Help: "Time for which a slot of a device was held.",
		}, []string{"kind", "stage"}),
		wait: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plait_device_wait_seconds", Help: "Time that a step waited to be admitted, and for its device.", Buckets: StageBuckets,
		}, []string{"kind", "stage"}),
		slotWait: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plait_slot_wait_seconds", Help: "Time that a step waited for a slot that all processes share.", Buckets: StageBuckets,
		}, []string{"slots"}),
		webhooks: newWebhookCounter(),
	}
	to.MustRegister(m.stages, m.busy, m.wait, m.slotWait, m.webhooks)
	if leases != nil {
		registerLeases(to, leases)
	}
	return m
}

func registerLeases(to prometheus.Registerer, leases *lease.Cache) {
	gauge := func(name, help string, read func(lease.Stats) int64) {
		to.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(read(leases.Stats())) }))
	}
	gauge("plait_leases", "Leases kept in memory.", func(s lease.Stats) int64 { return int64(s.Leases) })
	gauge("plait_lease_room", "Leases that are let in at once: those that are sure to be used in time.",
		func(s lease.Stats) int64 { return int64(s.Room) })
	gauge("plait_lease_bytes", "Memory of the leases kept.", func(s lease.Stats) int64 { return s.Bytes })
	gauge("plait_page_memory_bytes", "Memory reserved for pages that are worked on or kept.", func(lease.Stats) int64 { return leases.Memory().Used() })
	gauge("plait_page_memory_limit_bytes", "Memory for pages in all.", func(lease.Stats) int64 { return leases.Memory().Size() })
	to.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "plait_lease_evictions_total", Help: "Leases that had to make room before they were used.",
	}, func() float64 { return float64(leases.Stats().Evicted) }))
}

func (m *Metrics) stageEnded(kind core.Kind, run records.StageRun, code core.Code, d time.Duration) {
	if m != nil {
		m.stages.WithLabelValues(string(kind), string(run.Stage), string(run.Mode), string(code)).Observe(d.Seconds())
	}
}

func (m *Metrics) deviceHeld(kind core.Kind, stage core.Stage, d time.Duration) {
	if m != nil {
		m.busy.WithLabelValues(string(kind), string(stage)).Add(d.Seconds())
	}
}

func (m *Metrics) deviceWaited(kind core.Kind, stage core.Stage, d time.Duration) {
	if m != nil {
		m.wait.WithLabelValues(string(kind), string(stage)).Observe(d.Seconds())
	}
}

func (m *Metrics) slotWaited(slots string, d time.Duration) {
	if m != nil {
		m.slotWait.WithLabelValues(slots).Observe(d.Seconds())
	}
}
