// Package exemplar continues texture and structure into holes by what the rest of the picture looks like.
//
// Every patch that touches the hole seeks the known patch most like it, and the pixels of the hole become what the
// patches found for them say together (Wexler, Shechtman, Irani: Space-Time Completion of Video, 2007). Patches are found
// as in PatchMatch (Barnes, Shechtman, Finkelstein, Goldman, 2009): a good find is tried for its neighbors, and chance finds
// the first. This is repeated from a small picture, in which the hole is a few pixels wide and one patch spans the
// structure around it, to the full one. What the finds differ from the pixels beside the hole is then evened out
// over the hole by a membrane, so that no seam shows (Pérez, Gangnet, Blake: Poisson Image Editing, 2003).
//
// Chance comes from a generator with a given seed: the same crop and seed give the same pixels.
package exemplar

import (
	"context"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/membrane"
)

const (
	// coarseRounds of finding and voting form the structure in the smallest picture. Two less are needed in each larger one,
	// where it is given; fineRounds sharpen it in the full one.
	coarseRounds, fineRounds = 6, 1
)

// Fill gives the Hole pixels of c a content; they stay Hole. What no patch can be found for, for want of known patches,
// gets a membrane. It fails only when ctx ends.
func Fill(ctx context.Context, c *crop.Crop, seed uint64) error {
	membrane.Fill(c)
	levels := pyramid(c)
	var smaller *level
	for i := len(levels) - 1; i >= 0; i-- {
		l := levels[i]
		if len(l.sources) == 0 {
			continue
		}
		l.rng = random(seed + uint64(i))
		rounds := coarseRounds
		if smaller == nil {
			l.begin()
		} else {
			l.inherit(smaller)
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
	if len(levels[0].sources) > 0 {
		levels[0].closeSeam()
	}
	return ctx.Err()
}

// improve finds sources and votes so many times.
func (l *level) improve(ctx context.Context, rounds int) error {
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.measure()
		l.search(false)
		l.search(true)
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

// below is a number from 0 to n-1.
func (r *random) below(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }
