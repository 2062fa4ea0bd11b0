package regions

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"plait/internal/comic"
	"plait/internal/raster"
)

// What tells a sound effect from other free text. Sizes are in those of the page's dialogue.
const (
	// effectSize is the least size of a level effect, slantedSize that of a slanted one.
	effectSize, slantedSize = 1.6, 1.2
	// effectAngle is the rotation in degrees from which lettering is slanted.
	effectAngle = 8
	// readProb is the confidence below which large free lettering counts as not read: what the models read surely on the
	// measured pages has 0.91 and more, drawn effects read as other characters 0.2 to 0.7.
	readProb = 0.85
	// paperGray is the least channel, and paperTint the greatest difference of channels, of what a bubble is filled with:
	// white or cream. Lettering on other colors stands on art that happens to be flat, or in a caption.
	paperGray, paperTint = 200, 60
)

// dialogueSize is the lower median of the sizes of the dialogue, or of everything on a page without dialogue; 0 without regions.
func dialogueSize(all []comic.Region) float64 {
	var sizes, every []float64
	for _, r := range all {
		every = append(every, r.FontSize)
		if r.Kind == comic.KindDialogue {
			sizes = append(sizes, r.FontSize)
		}
	}
	if len(sizes) == 0 {
		sizes = every
	}
	if len(sizes) == 0 {
		return 0
	}
	slices.Sort(sizes)
	return sizes[(len(sizes)-1)/2]
}

// isEffect reports whether a region is a sound effect: large or slanted, and a sound by its letters, or else, over art, not read with
// confidence. A sound on the white of a bubble is said.
func isEffect(r comic.Region, size float64) bool {
	large := r.FontSize >= effectSize*size || math.Abs(r.Angle) >= effectAngle && r.FontSize >= slantedSize*size
	switch {
	case !large || r.Unread:
		return false
	case r.Kind == comic.KindDialogue:
		return !isPaper(r.BG) && isSound(r.Text)
	}
	return r.Kind == comic.KindFree && (r.Prob < readProb || isSound(r.Text))
}

func isPaper(c raster.RGB) bool {
	least := min(c[0], c[1], c[2])
	return least >= paperGray && max(c[0], c[1], c[2])-least <= paperTint
}

// markEffects gives sound effects their kind, and takes the text from what was not read with confidence.
func markEffects(all []comic.Region, size float64) {
	for i := range all {
		r := &all[i]
		if !isEffect(*r, size) {
			continue
		}
		r.Kind = comic.KindEffect
		if r.Prob < readProb {
			r.Text, r.Unread = "", true
		}
	}
}

// isGuess reports whether a line that was not read surely may be a drawn effect, on a page with dialogue of the given
// size: it is large and not a blot. A page without regions, size 0, has none to compare with.
func isGuess(l Line, size float64) bool {
	if l.Unread || l.Prob >= leastProb {
		return false
	}
	return size > 0 && l.size() >= effectSize*size && utf8.RuneCountInString(strings.ReplaceAll(l.Text, " ", "")) != 1
}
