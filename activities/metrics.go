package activities

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
)

// stageBuckets run from a page answered by its row to a page that waited an hour for its model.
var stageBuckets = []float64{.01, .03, .1, .3, 1, 3, 10, 30, 100, 300, 1000, 3600}

// Metrics are what the steps of a process tell Prometheus.
type Metrics struct {
	stages    *prometheus.HistogramVec
	busy      *prometheus.CounterVec
	wait      *prometheus.HistogramVec
	slotWait  prometheus.Histogram
	fallbacks *prometheus.CounterVec
	edits     *prometheus.HistogramVec
	overflow  *prometheus.CounterVec
}

// NewMetrics registers the metrics of the steps and, when there is one, of the cache of detect contexts.
func NewMetrics(to prometheus.Registerer, contexts *lease.Cache) *Metrics {
	m := &Metrics{
		stages: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plait_stage_seconds", Help: "Time of a run of a stage, with all its waiting, by its end.", Buckets: stageBuckets,
		}, []string{"stage", "mode", "code"}),
		busy: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_device_busy_seconds_total", Help: "Time for which a slot of the device was held.",
		}, []string{"stage"}),
		wait: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plait_device_wait_seconds", Help: "Time that a step waited to be admitted, and for the device.", Buckets: stageBuckets,
		}, []string{"stage"}),
		slotWait: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "plait_translate_slot_wait_seconds", Help: "Time that a translation waited for its slot.", Buckets: stageBuckets,
		}),
		fallbacks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_fallbacks_total", Help: "Pages that took the compensating branch, by what had become of their context.",
		}, []string{"cause"}),
		edits: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plait_edit_seconds", Help: "Time in which a page was lettered again with its edits, by its end.", Buckets: stageBuckets,
		}, []string{"code"}),
		overflow: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plait_overflow_texts_total", Help: "Texts that did not fit at first: lettered in a shorter form, or marked as overflow.",
		}, []string{"end"}),
	}
	to.MustRegister(m.stages, m.busy, m.wait, m.slotWait, m.fallbacks, m.edits, m.overflow)
	if contexts != nil {
		registerContexts(to, contexts)
	}
	return m
}

func registerContexts(to prometheus.Registerer, contexts *lease.Cache) {
	gauge := func(name, help string, read func(lease.Stats) int64) {
		to.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(read(contexts.Stats())) }))
	}
	gauge("plait_contexts", "Detect contexts kept.", func(s lease.Stats) int64 { return int64(s.Contexts) })
	gauge("plait_context_room", "Detect contexts that are let in at once: those that are sure to be used in time.",
		func(s lease.Stats) int64 { return int64(s.Room) })
	gauge("plait_context_bytes", "Memory of the detect contexts kept.", func(s lease.Stats) int64 { return s.Bytes })
	to.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "plait_context_evictions_total", Help: "Detect contexts that had to make room before they were used.",
	}, func() float64 { return float64(contexts.Stats().Evicted) }))
}

func (m *Metrics) stageEnded(run records.StageRun, code core.Code, d time.Duration) {
	if m != nil {
		m.stages.WithLabelValues(string(run.Stage), string(run.Mode), string(code)).Observe(d.Seconds())
	}
}

func (m *Metrics) deviceHeld(stage core.Stage, d time.Duration) {
	if m != nil {
		m.busy.WithLabelValues(string(stage)).Add(d.Seconds())
	}
}

func (m *Metrics) deviceWaited(stage core.Stage, d time.Duration) {
	if m != nil {
		m.wait.WithLabelValues(string(stage)).Observe(d.Seconds())
	}
}

func (m *Metrics) slotWaited(d time.Duration) {
	if m != nil {
		m.slotWait.Observe(d.Seconds())
	}
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
		m.overflow.WithLabelValues("shortened").Add(float64(len(out.Shortened)))
		m.overflow.WithLabelValues("overflow").Add(float64(len(out.Overflow)))
	}
}
