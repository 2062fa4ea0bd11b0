package ranks

import (
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are the Prometheus metrics of a process that leads a group: its [Stats].
type Metrics struct {
	requests, ended, inputs, bytes, joins   *prometheus.Desc
	queueWait, broadcast, decode, loopEvent *prometheus.Desc

	mu     sync.Mutex
	leader *Leader
}

// NewMetrics registers the metrics of a group, which are empty until [Metrics.Watch].
func NewMetrics(to prometheus.Registerer) *Metrics {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("plait_ranks_"+name, help, labels, nil)
	}
	m := &Metrics{
		requests:  desc("requests_total", "Requests of which the leader has sent the inputs out, by mode.", "mode"),
		ended:     desc("failures_total", "Requests that ended without an answer: canceled or failed.", "reason"),
		inputs:    desc("inputs_total", "Inputs of requests: a hit was there, or on its way, already.", "cache"),
		bytes:     desc("bytes_total", "Bytes of inputs that went to a rank.", "rank"),
		joins:     desc("joins_total", "How often a rank joined the group: more than once if it was lost.", "rank"),
		queueWait: desc("queue_wait_seconds", "Time from a request until its inputs go out."),
		broadcast: desc("broadcast_seconds", "Time from sending an input until the rank has it decoded.", "rank"),
		decode:    desc("decode_seconds", "Time of decoding an input: by each rank for itself, or by the leader for all.", "rank"),
		loopEvent: desc("loop_seconds", "Time for which an event held the leader's loop."),
	}
	to.MustRegister(m)
	return m
}

// Watch takes the figures from a leader.
func (m *Metrics) Watch(l *Leader) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.leader = l
}

// Describe implements [prometheus.Collector].
func (m *Metrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.requests, m.ended, m.inputs, m.bytes, m.joins, m.queueWait, m.broadcast, m.decode, m.loopEvent} {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (m *Metrics) Collect(to chan<- prometheus.Metric) {
	m.mu.Lock()
	leader := m.leader
	m.mu.Unlock()
	if leader == nil {
		return
	}
	s := leader.Stats()
	count := func(d *prometheus.Desc, n int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	times := func(d *prometheus.Desc, t Timing, labels ...string) {
		to <- prometheus.MustNewConstHistogram(d, uint64(t.Count), t.Total.Seconds(), t.Spread.buckets(), labels...)
	}
	for _, mode := range Modes {
		if mode != Auto { // which becomes one of the others
			count(m.requests, int64(s.Modes[mode]), string(mode))
		}
	}
	count(m.ended, int64(s.Canceled), "canceled")
	count(m.ended, int64(s.Failed), "failed")
	count(m.inputs, int64(s.Hits), "hit")
	count(m.inputs, int64(s.Misses), "miss")
	times(m.queueWait, s.QueueWait)
	times(m.decode, s.Decode, "all")
	times(m.loopEvent, s.Loop)
	for i, r := range s.Ranks {
		rank := strconv.Itoa(i)
		count(m.bytes, r.Bytes, rank)
		count(m.joins, int64(r.Joined), rank)
		times(m.broadcast, r.Broadcast, rank)
		times(m.decode, r.Decode, rank)
	}
}
