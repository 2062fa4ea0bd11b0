// Package latency estimates durations that are measured repeatedly: how long the next one takes.
//
// It is the estimate of RFC 6298, section 2, by which TCP finds its retransmission time-out: a smoothed mean, and a
// smoothed mean deviation as the measure of variation. All arithmetic is of whole nanoseconds, so that a workflow which
// is replayed on another machine decides the same.
package latency
