package comic

import (
	"cmp"
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
)

// samePlace is the minimum overlap of the boxes of one bubble in two readings, as intersection over union. Two devices differ by a
// pixel or two at an outline; regions that were split or joined overlap less.
const samePlace = 0.8

// madeOf reports whether the translations belong to these regions, read in the same order, so that they can be lettered as they are.
// Recorded are the regions of the page in the records.
func madeOf(translations []core.Translation, recorded []comicrecords.Region, found []comic.Region) bool {
	if core.CheckTranslations(len(found), translations) != nil {
		return false
	}
	if len(recorded) == 0 {
		return true
	}
	if len(recorded) != len(found) {
		return false
	}
	texts := core.TextsByRegion(translations)
	for i, r := range recorded {
		if r.Source != found[i].Text || r.Translation != texts[i] {
			return false
		}
	}
	return true
}

// carryOver assigns the translations of recorded regions to the regions found now: by text, the nearest first where texts are equal,
// otherwise by place. With apart, equal texts match even where their places do not overlap. Regions without a match have no
// translation.
func carryOver(recorded []comicrecords.Region, found []comic.Region, apart bool) (kept []core.Translation, rest []comic.Region) {
	type pair struct {
		old, now int
		// moved is set when only the place matches; far is the distance of the centers in pixels.
		moved bool
		far   float64
	}
	var pairs []pair
	for i, old := range recorded {
		for j, r := range found {
			common := overlap(old, r)
			same := old.Source == r.Text && (apart || common > 0)
			if same || common >= samePlace {
				pairs = append(pairs, pair{i, j, !same, distance(old, r)})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		if a.moved != b.moved {
			return map[bool]int{false: -1, true: 1}[a.moved]
		}
		return cmp.Compare(a.far, b.far)
	})
	taken, of := make([]bool, len(recorded)), make(map[int]comicrecords.Region, len(found))
	for _, p := range pairs {
		if _, settled := of[p.now]; !settled && !taken[p.old] {
			taken[p.old], of[p.now] = true, recorded[p.old]
		}
	}
	for j, r := range found {
		old, ok := of[j]
		if !ok {
			rest = append(rest, r)
			continue
		}
		kept = append(kept, core.Translation{Index: r.Index, Text: old.Translation, Untranslated: old.Untranslated})
	}
	return kept, rest
}

// dealtWith are the regions that have a translation, or that no model could translate. They are not translated again.
func dealtWith(recorded []comicrecords.Region) []comicrecords.Region {
	return slices.DeleteFunc(slices.Clone(recorded), func(r comicrecords.Region) bool {
		return r.Translation == "" && r.Untranslated == ""
	})
}

// distance is that of the centers, in pixels.
func distance(old comicrecords.Region, r comic.Region) float64 {
	x0, y0, x1, y1 := r.Bounds()
	return math.Hypot((old.Box[0]+old.Box[2])-(x0+x1), (old.Box[1]+old.Box[3])-(y0+y1)) / 2
}

// overlap is the intersection of two boxes over their union, 0..1.
func overlap(old comicrecords.Region, r comic.Region) float64 {
	x0, y0, x1, y1 := r.Bounds()
	common := max(0, min(old.Box[2], x1)-max(old.Box[0], x0)) * max(0, min(old.Box[3], y1)-max(old.Box[1], y0))
	both := (old.Box[2]-old.Box[0])*(old.Box[3]-old.Box[1]) + (x1-x0)*(y1-y0) - common
	if both <= 0 {
		return 0
	}
	return common / both
}
