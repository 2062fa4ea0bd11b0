package tone

// grid counts the dots of a band in the squares of a grid, with an empty one around it. It takes a fraction of the time of
// [crowds], and tells where there are none.
type grid struct {
	side, columns int
	counts        []int
}

func (b *band) gridOf(dots []dot, side int) grid {
	g := grid{side: side, columns: b.width/side + 3}
	g.counts = make([]int, g.columns*(b.height/side+3))
	for _, d := range dots {
		g.counts[g.square(d)]++
	}
	return g
}

func (g grid) square(d dot) int {
	at := d.middle()
	return (at.Y/g.side+1)*g.columns + at.X/g.side + 1
}

// mayCrowd reports whether a dot may stand in a crowd: a square of that side which holds it lies in four of the grid.
func (g grid) mayCrowd(d dot) bool {
	own := g.square(d)
	for _, first := range [...]int{own - g.columns - 1, own - g.columns, own - 1, own} {
		below := first + g.columns
		if g.counts[first]+g.counts[first+1]+g.counts[below]+g.counts[below+1] >= crowdLeast {
			return true
		}
	}
	return false
}
