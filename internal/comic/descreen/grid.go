package descreen

import (
	"image"

	"plait/internal/raster/integral"
)

// gridParts is how many squares of a grid are as long as that in which dots are counted. More of them tell more places that
// hold no crowd, and take longer.
const gridParts = 4

// grid counts the dots of a band in small squares, and tells where no crowd is in a fraction of the time of [crowds].
type grid struct {
	side, columns int
	may           []bool
}

func (b *band) gridOf(dots []dot, crowd int) grid {
	g := grid{side: (crowd + gridParts - 1) / gridParts}
	g.columns = b.width/g.side + 1
	counts := make([]int32, g.columns*(b.height/g.side+1))
	for _, d := range dots {
		counts[g.square(d)]++
	}
	g.mark(counts, crowd)
	return g
}

// mark marks every square of the grid in whose neighborhood there are dots enough: a square of the side of a crowd meets so many
// of the grid in each direction, however it lies.
func (g *grid) mark(counts []int32, crowd int) {
	met := (crowd+g.side-1)/g.side + 1
	rows := len(counts) / g.columns
	table := integral.New(g.columns, rows, func(i int) int32 { return counts[i] })
	g.may = make([]bool, len(counts))
	for y := 1 - met; y < rows; y++ {
		for x := 1 - met; x < g.columns; x++ {
			if table.In(image.Rect(x, y, x+met, y+met)) < crowdLeast {
				continue
			}
			for row := max(y, 0); row < min(y+met, rows); row++ {
				for column := max(x, 0); column < min(x+met, g.columns); column++ {
					g.may[row*g.columns+column] = true
				}
			}
		}
	}
}

func (g *grid) square(d dot) int {
	at := d.middle()
	return at.Y/g.side*g.columns + at.X/g.side
}

// mayCrowd reports whether a dot may stand in a crowd.
func (g *grid) mayCrowd(d dot) bool { return g.may[g.square(d)] }
