package engine

import (
	"context"
	"unicode/utf8"

	"plait/internal/comic"
	"plait/internal/comic/lineseg"
	"plait/internal/comic/ocr"
)

// reline reads lines that cross each other once more as the ink tells them, and keeps what says more.
func (e *Engine) reline(ctx context.Context, found sighted, r *reading) error {
	if e.without.Lack(comic.PassRelined) {
		return nil
	}
	var all lines
	replaced := make(map[int]bool)
	for _, g := range lineseg.Find(found.paper(), r.quads) {
		again, err := found.read(ctx, g.Lines, e.recognizer.Read)
		if err != nil {
			return err
		}
		var before lines
		for _, i := range g.Members {
			before.add(r.quads[i], r.lines[i])
			replaced[i] = true
		}
		kept := better(before, lines{g.Lines, again}, g)
		all.quads, all.readings = append(all.quads, kept.quads...), append(all.readings, kept.readings...)
	}
	for i, q := range r.quads {
		if !replaced[i] {
			all.add(q, r.lines[i])
		}
	}
	r.quads, r.lines = all.quads, all.readings
	return nil
}

const (
	// relineLoss is the share that a second reading of lines may say less: the ink parts furigana from its line better than the
	// detector does.
	relineLoss = 0.05
	// acrossLoss is how much less certain one may be where the first had lines in both directions: single characters taken out of
	// their line read surely too.
	acrossLoss = 0.05
)

// better are lines as they were read first, or again as the ink tells them. Where the first lie across the others, they are
// pieces, and all are of one or of the other.
func better(first, again lines, g lineseg.Group) lines {
	if !g.Across {
		return completed(first, again, relineLoss)
	}
	loss := acrossLoss
	if g.Against {
		loss = 0
	}
	if certainty(again.readings) < certainty(first.readings)-loss {
		return first
	}
	return again
}

// certainty is the mean probability of the characters of lines.
func certainty(lines []ocr.Reading) float64 {
	sum, n := 0.0, 0
	for _, l := range lines {
		count := utf8.RuneCountInString(l.Text)
		sum, n = sum+l.Prob*float64(count), n+count
	}
	return sum / float64(max(n, 1))
}
