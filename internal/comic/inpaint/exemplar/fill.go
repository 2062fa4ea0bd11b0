// Package exemplar continues texture and structure into holes by copying patches from the rest of the crop.
//
// For every patch that touches the hole it searches the most similar known patch, and each pixel of the hole becomes a weighted mean of the
// patches found for it (Wexler, Shechtman, Irani: Space-Time Completion of Video, 2007). The search is that of PatchMatch (Barnes,
// Shechtman, Finkelstein, Goldman, 2009): it starts from random patches, and tries a good match for the neighbors as well. This is repeated
// at increasing resolutions. At the lowest, the hole is a few pixels wide and one patch spans the structure around it.
//
// Random numbers come from a generator whose seed is the place of the crop: the same crop gives the same pixels.
package exemplar

import (
	"context"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/membrane"
)

const (
	// The lowest resolution takes coarseRounds of search and vote to form the structure. Each following one takes two fewer, because the
	// structure is given, but at least fineRounds, and the full resolution takes fineRounds to sharpen it.
	coarseRounds, fineRounds = 6, 1
)

// Painter paints holes in art.
type Painter struct{}

// Margin returns how many pixels around a hole patches are copied from.
func (Painter) Margin() int { return 64 }

// Paint sets the colors of the hole of c. If c has no known patch, they get a membrane. Paint fails only if ctx ends.
func (Painter) Paint(ctx context.Context, c *crop.Crop) error {
	membrane.Fill(c)
	levels := pyramid(c)
	var smaller *level
	for i := len(levels) - 1; i >= 0; i-- {
		l := levels[i]
		if len(l.sources) == 0 {
			continue
		}
		l.rng = random(uint64(c.Rect.Min.X)<<32 + uint64(c.Rect.Min.Y+i))
		rounds := coarseRounds
		l.begin(smaller)
		if smaller != nil {
			l.measure()
			l.vote()
			rounds = max(fineRounds, coarseRounds-2*(len(levels)-1-i))
			if i == 0 {
				rounds = fineRounds
			}
		}
		if err := l.improve(ctx, rounds); err != nil {
			return err
		}
		smaller = l
	}
	return ctx.Err()
}

// improve repeats search and vote for the given number of rounds.
func (l *level) improve(ctx context.Context, rounds int) error {
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.measure()
		l.search()
		l.vote()
	}
	return nil
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

// below returns a random number from 0 to n-1.
func (r *random) below(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }
