package detect

import "bytes"

// What counts as a dark ground, on a page at the model's scale. Measured on drawn manga pages with lettering of 15 to 75
// pixels: as they stand, one line in six of those in white on black is lost, and of their negatives none.
const (
	// darkest is the brightest channel below which a pixel is black, 0..1: ink on a scanned page, but no dark color of art.
	darkest = 0.15
	// groundSide is the side in pixels, odd, of the squares that a ground consists of; the heaviest black lettering on white is
	// not solid in one. At least groundShare of each is black: thin white lettering covers some of it.
	groundSide, groundShare = 41, 0.6
	// groundGap is how wide a light place within a ground may be: a stroke of bold white lettering, but no bubble.
	groundGap = 60
)

// negate turns lettering on a black ground, in planes as [sample] writes them, into black lettering on a light one: the
// model overlooks much of the former. Light bubbles on black stay as they are.
func negate(planes []float32, width, height int) {
	black := blackPixels(planes, width, height)
	if black == nil {
		return
	}
	g := ground{black, make([]uint8, len(black)), width, height}
	g.mark(groundSide, groundShare)
	if bytes.IndexByte(g.marked, 1) < 0 {
		return
	}
	g.mark(groundSide, 1)
	g.mark(groundSide+groundGap, 0)
	g.mark(groundGap+1, 1)
	area := width * height
	for c := range 3 {
		// The negative of v, 1-v, as normalized.
		shift := (1 - 2*channelMean[c]) / channelDeviation[c]
		plane := planes[c*area : (c+1)*area]
		for i, on := range g.marked {
			if on != 0 {
				plane[i] = shift - plane[i]
			}
		}
	}
}

// blackPixels are 1 where all channels are dark; nil where too few are for a ground.
func blackPixels(planes []float32, width, height int) []uint8 {
	area := width * height
	black := make([]uint8, area)
	var limit [3]float32
	for c := range limit {
		limit[c] = (darkest - channelMean[c]) / channelDeviation[c]
	}
	blue, green, red := planes[:area], planes[area:2*area], planes[2*area:3*area]
	found := 0
	for i := range black {
		if blue[i] < limit[0] && green[i] < limit[1] && red[i] < limit[2] {
			black[i] = 1
			found++
		}
	}
	if found < groundSide*groundSide/2 {
		return nil
	}
	return black
}

// ground is a picture of marked pixels, 1, on others, 0.
type ground struct {
	marked, next  []uint8
	width, height int
}

// mark leaves those pixels marked around which a square of that odd side, cut at the edges of the picture, is marked by more
// than none and at least share.
func (g *ground) mark(side int, share float64) {
	reach := side / 2
	columns := make([]int, g.width) // marked pixels of each column within the rows of the square
	rows := 0
	for y := -reach; y < g.height; y++ {
		if enter := y + reach; enter < g.height {
			for x, on := range g.marked[enter*g.width : (enter+1)*g.width] {
				columns[x] += int(on)
			}
			rows++
		}
		if leave := y - reach - 1; leave >= 0 {
			for x, on := range g.marked[leave*g.width : (leave+1)*g.width] {
				columns[x] -= int(on)
			}
			rows--
		}
		if y >= 0 {
			markRow(columns, rows, reach, share, g.next[y*g.width:(y+1)*g.width])
		}
	}
	g.marked, g.next = g.next, g.marked
}

// markRow marks the pixels of one row by the marked pixels of the columns around each.
func markRow(columns []int, rows, reach int, share float64, row []uint8) {
	sum, n := 0, 0
	for x := -reach; x < len(columns); x++ {
		if enter := x + reach; enter < len(columns) {
			sum, n = sum+columns[enter], n+rows
		}
		if leave := x - reach - 1; leave >= 0 {
			sum, n = sum-columns[leave], n-rows
		}
		if x < 0 {
			continue
		}
		row[x] = 0
		if sum > 0 && float64(sum) >= share*float64(n) {
			row[x] = 1
		}
	}
}
