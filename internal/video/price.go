package video

import "math"

// Price is what a video costs, in the currency of the price table translator.prices: an amount for each second, and one for each video.
type Price struct {
	Second float64 `yaml:"second"`
	Video  float64 `yaml:"video"`
}

// maxPrice is more than any model costs: a larger price is a mistake, and would not be exact.
const maxPrice = 1_000_000

// sound reports whether both amounts are numbers from 0 to maxPrice.
func (p Price) sound() bool {
	return p.Second >= 0 && p.Second <= maxPrice && p.Video >= 0 && p.Video <= maxPrice
}

// micros is the number of parts of the currency in which prices are kept.
const micros = 1e6

// Micros returns the price of a video of so many seconds, in millionths of the currency.
func (p Price) Micros(seconds int) int64 {
	return int64(math.Round((p.Video + p.Second*float64(seconds)) * micros))
}

// Amount converts millionths of the currency into the currency.
func Amount(millionths int64) float64 { return float64(millionths) / micros }
