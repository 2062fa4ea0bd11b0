package exemplar

import (
	"context"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/membrane"
)

const (
	// coarseRounds of finding and voting form the structure in the smallest picture; fineRounds sharpen it in each larger one,
	// where it is given.
	coarseRounds, fineRounds = 6, 1
	// passes over all patches make one search.
	passes = 2
)

// Fill gives the Hole pixels of c a content; they stay Hole. What no patch can be found for, for want of known patches,
// gets a membrane. It fails only when ctx ends.
func Fill(ctx context.Context, c *crop.Crop, seed uint64) error {
	membrane.Fill(c)
	levels := pyramid(c)
	for i := len(levels) - 1; i >= 0; i-- {
		l, rounds := levels[i], coarseRounds
		if len(l.sources) == 0 {
			continue
		}
		l.rng = random(seed + uint64(i))
		if i == len(levels)-1 || len(levels[i+1].sources) == 0 {
			l.begin()
		} else {
			l.inherit(levels[i+1])
			l.vote()
			if rounds = max(fineRounds, coarseRounds-2*(len(levels)-1-i)); i == 0 {
				rounds = fineRounds
			}
		}
		for range rounds {
			if err := ctx.Err(); err != nil {
				return err
			}
			l.measure()
			for pass := range passes {
				l.search(pass%2 == 1)
			}
			l.vote()
		}
	}
	if len(levels[0].sources) > 0 {
		levels[0].closeSeam()
	}
	return ctx.Err()
}

// random is the generator splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number from 0 to n-1.
func (r *random) below(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }
