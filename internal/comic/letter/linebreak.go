package letter

import "math"

// lineRoom is how far a line may extend from the axis to each side, in em.
type lineRoom struct{ left, right float64 }

// limit returns the greatest width of a line in a block of the given width, in em.
func (t *shapedText) limit(r lineRoom, measure float64) float64 {
	set, free := r.left, r.right // the side that lines are set to, and the other one
	switch {
	case t.flush == 0:
		return min(measure, 2*min(set, free))
	case t.flush > 0:
		set, free = free, set
	}
	if set < measure/2 {
		return 0
	}
	return min(measure, measure/2+free)
}

type step struct {
	cost float64
	from int // index of the break point where the line begins, -1 for the start of the text
}

const (
	// costOfScrap is the cost of a line of no width. The cost falls to zero at half of the mean width.
	costOfScrap = 12
	// costOfWidth is the cost of a line that is off its wanted width by the mean width.
	costOfWidth = 9
	// breakWeight is the weight of the costs of breaks relative to the mean cost of lines.
	breakWeight = 0.4
)

// breakLines chooses the breaks for exactly as many lines as there are rooms, by dynamic programming over all lines. The best lines have
// the widths that are nearest to the same share of each room. It returns nil if they do not fit.
func (t *shapedText) breakLines(room []lineRoom, breaks []breakPoint, measure float64) *layout {
	limits, targets := t.targets(room, measure)
	if limits == nil {
		return nil
	}
	n, m := len(room), len(breaks)
	before, after := 0.0, 0.0
	for _, l := range limits {
		after += l
	}
	if t.outOfReach(0, before, after, n) {
		return nil
	}
	mean := t.span(0, len(t.clusters)) / float64(n)
	table := make([]step, n*m)
	for line := range n {
		before, after = before+limits[line], after-limits[line]
		for j := range m {
			if t.outOfReach(breaks[j].at, before, after, n) {
				table[line*m+j] = step{cost: math.Inf(1), from: -1}
				continue
			}
			table[line*m+j] = t.bestStep(table, breaks, line, j, limits[line], targets[line], mean, n)
		}
	}
	if math.IsInf(table[n*m-1].cost, 1) {
		return nil
	}
	l := &layout{cost: table[n*m-1].cost / float64(n), lines: make([]setLine, n)}
	for line, j := n-1, m-1; line >= 0; line-- {
		from := table[line*m+j].from
		set := setLine{hyphen: breaks[j].hyphen, broken: breaks[j].cost >= costAnywhere}
		if from >= 0 {
			set.from = breaks[from].at
		}
		set.end, set.width = t.trimmed(set.from, breaks[j].at), t.lineWidth(set.from, breaks[j])
		l.block = max(l.block, set.width)
		l.lines[line] = set
		j = from
	}
	return l
}

// outOfReach reports whether no line can end before a cluster, because the lines up to it are too narrow for the text before it, or the
// lines after it for the text after it. Each line may lose a space of half an em at its end.
func (t *shapedText) outOfReach(cluster int, before, after float64, lines int) bool {
	spaces := 0.5 * float64(lines)
	return t.sum[cluster] > before+spaces || t.sum[len(t.clusters)]-t.sum[cluster] > after+spaces
}

// targets returns the greatest and the wanted widths of the lines: the same share of each room, slightly less for the outer lines.
func (t *shapedText) targets(room []lineRoom, measure float64) (limits, targets []float64) {
	limits, targets = make([]float64, len(room)), make([]float64, len(room))
	var sum float64
	for i, r := range room {
		limits[i] = t.limit(r, measure)
		if limits[i] <= 0 {
			return nil, nil
		}
		targets[i] = limits[i]
		if t.flush == 0 && len(room) > 2 {
			off := (float64(i) - float64(len(room)-1)/2) / (float64(len(room)) / 2)
			targets[i] *= 1 - rounding*off*off
		}
		sum += targets[i]
	}
	share := min(1, t.span(0, len(t.clusters))/sum)
	for i := range targets {
		targets[i] *= share
	}
	return limits, targets
}

func (t *shapedText) lineWidth(from int, end breakPoint) float64 {
	width := t.span(from, end.at)
	if end.hyphen {
		width += t.hyphen.advance
	}
	return width
}

// bestStep returns the cheapest way to end a line at break point j.
func (t *shapedText) bestStep(table []step, breaks []breakPoint, line, j int, limit, target, mean float64, lines int) step {
	best := step{cost: math.Inf(1), from: -1}
	m := len(breaks)
	if line == lines-1 && j != m-1 {
		return best
	}
	for from := j - 1; from >= -1; from-- {
		begin, before := 0, 0.0
		if from >= 0 {
			begin = breaks[from].at
		}
		width := t.lineWidth(begin, breaks[j])
		if width > limit {
			break // every longer line is also too wide
		}
		switch {
		case line == 0 && from >= 0, line > 0 && from < 0:
			continue
		case line > 0:
			before = table[(line-1)*m+from].cost
		}
		flaws := breakWeight * breaks[j].cost
		if lines > 1 {
			flaws += costOfScrap * max(0, 0.5-width/mean)
		}
		off := (width - target) / mean
		if cost := before + flaws*float64(lines) + costOfWidth*off*off; cost < best.cost {
			best = step{cost: cost, from: from}
		}
	}
	return best
}
