package textarea

import (
	"cmp"
	"math"
	"slices"

	"plait/internal/raster/bitmap"
)

// An edge is a straight line between ground on one side and art on the other, such as the border of a panel. It runs
// along u, the x axis or for upright edges the y axis: v = slope*u + offset. The stretches are where it is seen.
type edge struct {
	upright bool
	// art is the direction of v in which the art lies: 1 or -1.
	art           int
	slope, offset float64
	seen          []stretch
}

// stretch is from one place along u to another, inclusive.
type stretch struct{ from, to int }

func (e *edge) at(u int) int { return int(math.Round(e.slope*float64(u) + e.offset)) }

// from and to are the ends of what is seen.
func (e *edge) from() int { return e.seen[0].from }
func (e *edge) to() int   { return e.seen[len(e.seen)-1].to }

const (
	// leastPiece is the shortest straight piece of an outline that may be part of an edge, leastSeed the shortest that
	// can be the first, and leastSeen the least that has to be seen of an edge in all, in em: bubbles are round.
	leastPiece, leastSeed, leastSeen = 0.5, 1.4, 5.0
	// artDepth is how many pixels of art lie behind an edge.
	artDepth = 4
	// aligned is the slope under which an edge is upright or level: scans and drawings are turned by less.
	aligned = 0.012
)

// edges finds the straight edges of art in the ground.
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

// grid looks at a bitmap along either axis.
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

// piece is a straight piece of an outline: its ends.
type piece struct{ u0, v0, u1, v1 int }

// pieces follows the outlines of the ground on which art lies in direction art, and cuts them where they bend.
func pieces(ground *bitmap.Bitmap, upright bool, art, least int) []piece {
	g := newGrid(ground, upright)
	var out []piece
	// chains[v] is the outline that reached v in the last step along u.
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

// straight is how far, in pixels, an outline may be from a straight piece of it.
const straight = 1.25

// cutStraight splits a chain that starts at u where it is farthest from the line between its ends (Ramer, 1972).
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

// collinear joins pieces that lie on one line to edges, the longest first.
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

// near reports whether a piece lies on the line of e, which was measured on seed: farther away it is less sure.
func (e *edge) near(p, seed piece) bool {
	away := max(seed.u0-p.u1, p.u0-seed.u1, 0)
	slack := 1.6
	if e.slope != 0 {
		slack += min(2.5, float64(away)*1.5/float64(seed.u1-seed.u0))
	}
	off := func(u, v int) float64 { return math.Abs(float64(v) - e.slope*float64(u) - e.offset) }
	return off(p.u0, p.v0) <= slack && off(p.u1, p.v1) <= slack
}
