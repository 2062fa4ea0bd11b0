package textarea

import (
	"cmp"
	"math"
	"slices"

	"plait/internal/raster/bitmap"
)

// edge is a straight line between ground on one side and art on the other, such as the border of a panel. It runs along u, which is the x
// axis or, for upright edges, the y axis: v = slope*u + offset. seen are the stretches where it is visible, in ascending order.
type edge struct {
	upright bool
	// art is the direction of v in which the art is: 1 or -1.
	art           int
	slope, offset float64
	seen          []stretch
}

// stretch is an interval along u, both ends inclusive.
type stretch struct{ from, to int }

func (e *edge) at(u int) int { return int(math.Round(e.slope*float64(u) + e.offset)) }

// from and to return the ends of the visible part of the edge.
func (e *edge) from() int { return e.seen[0].from }
func (e *edge) to() int   { return e.seen[len(e.seen)-1].to }

const (
	// leastPiece is the least length of a straight piece of an outline that can be part of an edge. leastSeed is the least length of the
	// longest piece, and leastSeen the least visible length of an edge in all. They are in em and exclude bubbles, which are round.
	leastPiece, leastSeed, leastSeen = 0.5, 1.4, 5.0
	// artDepth is the least depth of the art behind an edge, in pixels.
	artDepth = 4
	// aligned is the slope below which an edge counts as exactly upright or level: scans and drawings are turned by less.
	aligned = 0.012
)

// edges finds the straight edges between the ground and art.
func edges(ground *bitmap.Bitmap, em float64) []*edge {
	var out []*edge
	for _, upright := range []bool{false, true} {
		for _, art := range []int{-1, 1} {
			pieces := pieces(ground, upright, art, int(leastPiece*em))
			out = append(out, collinear(pieces, upright, art, em)...)
		}
	}
	return out
}

// grid gives access to a bitmap along either axis.
type grid struct {
	pix            []uint8
	nu, nv, du, dv int
}

func newGrid(b *bitmap.Bitmap, upright bool) grid {
	w, h := b.Rect.Dx(), b.Rect.Dy()
	if upright {
		return grid{b.Pix, h, w, w, 1}
	}
	return grid{b.Pix, w, h, 1, w}
}

// piece is a straight piece of an outline, given by its ends.
type piece struct{ u0, v0, u1, v1 int }

// pieces follows the outlines of the ground that have art in direction art, and splits them where they bend.
func pieces(ground *bitmap.Bitmap, upright bool, art, least int) []piece {
	g := newGrid(ground, upright)
	var out []piece
	// chains[v] is the outline that reached v in the previous step along u.
	chains, next := make([][]int, g.nv), make([][]int, g.nv)
	end := func(u int, chain []int) {
		if len(chain) >= least {
			out = cutStraight(out, u-len(chain), chain, least)
		}
	}
	for u := range g.nu {
		for v := artDepth; v < g.nv-artDepth; v++ {
			if g.pix[u*g.du+v*g.dv] == 0 || g.pix[u*g.du+(v+art)*g.dv] != 0 || !g.deep(u, v, art) {
				continue
			}
			for _, from := range [3]int{v, v - 1, v + 1} {
				if chain := chains[from]; chain != nil {
					next[v], chains[from] = chain, nil
					break
				}
			}
			next[v] = append(next[v], v)
		}
		for v, chain := range chains {
			if chain != nil {
				end(u, chain)
				chains[v] = nil
			}
		}
		chains, next = next, chains
	}
	for _, chain := range chains {
		end(g.nu, chain)
	}
	return out
}

func (g grid) deep(u, v, art int) bool {
	for d := 2; d <= artDepth; d++ {
		if g.pix[u*g.du+(v+art*d)*g.dv] != 0 {
			return false
		}
	}
	return true
}

// straight is the greatest distance of an outline from a straight piece of it, in pixels.
const straight = 1.25

// cutStraight splits a chain that starts at u at the point farthest from the line between its ends (Ramer, 1972).
func cutStraight(out []piece, u int, chain []int, least int) []piece {
	n := len(chain) - 1
	if n+1 < least {
		return out
	}
	far, at := 0.0, 0
	for i, v := range chain {
		line := float64(chain[0]) + float64(chain[n]-chain[0])*float64(i)/float64(max(n, 1))
		if off := math.Abs(float64(v) - line); off > far {
			far, at = off, i
		}
	}
	if far <= straight {
		return append(out, piece{u, chain[0], u + n, chain[n]})
	}
	return cutStraight(cutStraight(out, u, chain[:at+1], least), u+at, chain[at:], least)
}

// collinear joins collinear pieces to edges, starting with the longest.
func collinear(pieces []piece, upright bool, art int, em float64) []*edge {
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(b.u1-b.u0, a.u1-a.u0) })
	used := make([]bool, len(pieces))
	var out []*edge
	for i, seed := range pieces {
		if used[i] || float64(seed.u1-seed.u0) < leastSeed*em {
			continue
		}
		e := &edge{upright: upright, art: art, slope: float64(seed.v1-seed.v0) / float64(seed.u1-seed.u0)}
		if math.Abs(e.slope) < aligned {
			e.slope = 0
		}
		e.offset = float64(seed.v0+seed.v1)/2 - e.slope*float64(seed.u0+seed.u1)/2
		seen := 0
		for j, p := range pieces {
			if !used[j] && e.near(p, seed) {
				used[j] = true
				e.seen = append(e.seen, stretch{p.u0, p.u1})
				seen += p.u1 - p.u0
			}
		}
		if float64(seen) >= leastSeen*em {
			slices.SortFunc(e.seen, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
			out = append(out, e)
		}
	}
	return out
}

// near reports whether a piece is on the line of e, which was measured on seed. The tolerance grows with the distance from seed.
func (e *edge) near(p, seed piece) bool {
	away := max(seed.u0-p.u1, p.u0-seed.u1, 0)
	slack := 1.6
	if e.slope != 0 {
		slack += min(2.5, float64(away)*1.5/float64(seed.u1-seed.u0))
	}
	off := func(u, v int) float64 { return math.Abs(float64(v) - e.slope*float64(u) - e.offset) }
	return off(p.u0, p.v0) <= slack && off(p.u1, p.v1) <= slack
}
