package raster

import (
	"cmp"
	"slices"
)

// Weighted is a value with its weight.
type Weighted struct {
	Value  float64
	Weight int
}

// Quantile returns the least value up to which the values have a share of their total weight; 0 without values. It sorts them.
func Quantile(values []Weighted, share float64) float64 {
	slices.SortFunc(values, func(a, b Weighted) int { return cmp.Compare(a.Value, b.Value) })
	total, sum := 0, 0
	for _, v := range values {
		total += v.Weight
	}
	for _, v := range values {
		if sum += v.Weight; float64(sum) >= share*float64(total) {
			return v.Value
		}
	}
	return 0
}

// LowerMedian returns the median of values, the lower of two middle ones; 0 without values.
func LowerMedian(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}
