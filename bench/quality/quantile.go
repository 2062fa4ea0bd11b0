package main

import (
	"math"
	"slices"
)

// quantile returns the value below which a share of the values lies, interpolated between the two nearest; 0 without values.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	place := share * float64(len(sorted)-1)
	i := int(place)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (place-float64(i))*(sorted[i+1]-sorted[i])
}

func median(values []float64) float64 { return quantile(values, 0.5) }

// ratio returns n as a share of all; 0 if there are none.
func ratio(n, all int) float64 { return float64(n) / float64(max(all, 1)) }

// round rounds to three decimals.
func round(v float64) float64 { return math.Round(1000*v) / 1000 }
