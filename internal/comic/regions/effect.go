package regions

import (
	"plait/internal/comic"
	"plait/internal/raster"
)

// Limits for sound effects among free text. Sizes are in units of the size of the page's dialogue.
const (
	// effectSize is the least size of a level effect, and slantedSize that of a slanted one.
	effectSize, slantedSize = 1.6, 1.2
	// readProb is the confidence below which large free lettering counts as unread. On the measured pages text that the models read right
	// has 0.91 and more, and drawn effects misread as other characters have 0.2 to 0.7.
	readProb = 0.85
	// paperGray is the least channel, and paperTint the greatest difference of channels, of the fill of a bubble: white or cream.
	// Lettering on other colors is on flat art, or in a caption.
	paperGray, paperTint = 200, 60
)

// dialogueSize is the lower median of the sizes of the dialogue, or of all regions on a page without dialogue. It is 0 without regions.
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
	return median(sizes)
}

// isEffect reports whether a region is a sound effect: large or slanted, and either spelled as a sound, or over art and not read with
// confidence. A sound on the white of a bubble is dialogue.
func isEffect(r comic.Region, size float64) bool {
	large := r.FontSize >= effectSize*size || r.Slanted() && r.FontSize >= slantedSize*size
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

// markEffects sets the kind of sound effects, and clears the text of those that were not read with confidence.
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
