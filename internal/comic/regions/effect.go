package regions

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"plait/internal/comic"
	"plait/internal/languages"
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
	// charactersProb is that for characters in the place of kana: 于 for チ was read with up to 0.93.
	charactersProb = 0.95
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

// isEffect reports whether a region is a sound effect: large, slanted, drawn with an outline, or one line in light strokes, and a sound
// by its letters, or else, over art, not read with confidence. A sound on the white of a bubble is said, without an outline.
func isEffect(r comic.Region, size float64, l look) bool {
	large := l.outlined || l.drawn && len(r.Lines) == 1 ||
		r.FontSize >= effectSize*size || math.Abs(r.Angle) >= effectAngle && r.FontSize >= slantedSize*size
	switch {
	case !large || r.Unread:
		return false
	case r.Kind == comic.KindDialogue:
		return (l.outlined || !isPaper(r.BG)) && isSound(r.Text)
	}
	return r.Kind == comic.KindFree && (!isRead(r, l) || isSound(r.Text))
}

// isRead reports whether a region of such lettering was read with confidence. Of what is drawn with an outline, single strokes read as
// letters and digits, and on a Japanese page the kana of sounds as characters: the models know characters better.
func isRead(r comic.Region, l look) bool {
	if !l.outlined || !languages.IsCJK(r.SourceLang) {
		return r.Prob >= readProb
	}
	if isStroke(r) {
		return false
	}
	if r.SourceLang == "ja" && !strings.ContainsFunc(r.Text, isKana) {
		return r.Prob >= charactersProb
	}
	return r.Prob >= readProb
}

func isPaper(c raster.RGB) bool {
	least := min(c[0], c[1], c[2])
	return least >= paperGray && max(c[0], c[1], c[2])-least <= paperTint
}

// markEffects gives sound effects their kind, and takes the text from what was not read with confidence.
func markEffects(all []comic.Region, size float64, looks map[raster.Quad]look) {
	for i := range all {
		r := &all[i]
		l := lookOf(*r, looks)
		if !isEffect(*r, size, l) {
			continue
		}
		r.Kind = comic.KindEffect
		if !isRead(*r, l) {
			r.Text, r.Unread = "", true
		}
	}
}

// look is how a line is drawn: in light strokes, and those with an outline.
type look struct{ drawn, outlined bool }

// looksOf are the looks of lines by their quads.
func looksOf(lines []Line) map[raster.Quad]look {
	looks := make(map[raster.Quad]look, len(lines))
	for _, l := range lines {
		looks[l.Quad] = look{l.Drawn, l.Outlined}
	}
	return looks
}

// lookOf is how every line of a region is drawn.
func lookOf(r comic.Region, looks map[raster.Quad]look) look {
	all := look{true, true}
	for _, q := range r.Lines {
		l := looks[q]
		all.drawn, all.outlined = all.drawn && l.drawn, all.outlined && l.outlined
	}
	return all
}

// isLettering reports whether a region that says nothing is lettering by its look. In white on dark a letter or a digit alone is a mark of the
// line beside it.
func isLettering(r comic.Region, l look) bool {
	return l.outlined || l.drawn && !isStroke(r)
}

// isStroke reports whether a region is one letter or digit, as which strokes are read.
func isStroke(r comic.Region) bool {
	return utf8.RuneCountInString(r.Text) == 1 && !strings.ContainsFunc(r.Text, unspaced)
}

// isGuess reports whether a line that was not read surely may be a drawn effect, on a page with dialogue of the given
// size: it is drawn in light strokes, or large and not a blot. A page without regions, size 0, has none to compare with.
func isGuess(l Line, size float64) bool {
	if l.Unread || l.Prob >= leastProb {
		return false
	}
	return l.Drawn || size > 0 && l.size() >= effectSize*size && utf8.RuneCountInString(strings.ReplaceAll(l.Text, " ", "")) != 1
}
