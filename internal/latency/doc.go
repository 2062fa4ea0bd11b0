// Package latency estimates a duration from repeated measurements.
//
// It uses the estimate of RFC 6298, section 2, with which TCP computes its retransmission time-out: a smoothed mean and a smoothed mean
// deviation. All arithmetic is in whole nanoseconds, so that a workflow makes the same decisions when another machine replays it.
package latency
