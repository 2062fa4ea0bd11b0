package regions

import (
	"image"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// flatShare is the least share of a flat surrounding. whiteShare is the same for white paper with text that was read with confidence:
	// lettering may cross the outline of its bubble, and no art is that white.
	flatShare, whiteShare = 0.75, 0.55
	// white is the least channel of white paper.
	white = 235
)

// inBubble reports whether a region is dialogue, in a bubble or a caption, rather than free text: the area around dialogue is flat.
func inBubble(img *image.NRGBA, r comic.Region) bool {
	flat := flatAround(img, r, max(2, r.FontSize/8)) // narrower than the margin that bubbles leave
	return flat >= flatShare || min(r.BG[0], r.BG[1], r.BG[2]) >= white && r.Prob >= comic.SureReading && !r.Unread && flat >= whiteShare
}

// flatAround is the share of pixels within a ring around the lines of a region that are close to the color around.
func flatAround(img *image.NRGBA, r comic.Region, ring float64) float64 {
	lettered := bitmap.New(raster.Enclosing(r.Bounds()).Intersect(img.Rect))
	for _, q := range r.Lines {
		lettered.Fill(q)
	}
	near, total := 0, 0
	for _, q := range r.Lines {
		x0, y0, x1, y1 := q.Bounds()
		for at := range raster.Pixels(raster.Enclosing(x0-ring, y0-ring, x1+ring, y1+ring).Intersect(img.Rect)) {
			if lettered.Has(at.X, at.Y) {
				continue
			}
			total++
			if !raster.Distinct(raster.At(img, at.X, at.Y), r.BG) {
				near++
			}
		}
	}
	return float64(near) / float64(max(total, 1))
}

// Limits for sound effects among free text. Sizes are in units of the size of the page's dialogue.
const (
	// slantedSize is the least size of a slanted effect; that of a level one is [comic.SameSize].
	slantedSize = 1.2
	// readProb is the confidence below which large free lettering counts as unread. On the measured pages text that the models read right
	// has 0.91 and more, and drawn effects misread as other characters have 0.2 to 0.7.
	readProb = 0.85
	// paperGray is the least channel of the fill of a bubble: white, or the cream of old paper. Lettering on other colors is on flat art, or in
	// a caption.
	paperGray = 200
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
	return raster.LowerMedian(sizes)
}

// isEffect reports whether a region is a sound effect: large or slanted, and either spelled as a sound, or over art and not read with
// confidence. A sound on the paper of a bubble is dialogue.
func isEffect(r comic.Region, size float64) bool {
	large := r.FontSize >= comic.SameSize*size || r.Slanted() && r.FontSize >= slantedSize*size
	switch {
	case !large || r.Unread:
		return false
	case r.Kind == comic.KindDialogue:
		return min(r.BG[0], r.BG[1], r.BG[2]) < paperGray && isSound(r.Text)
	}
	return r.Kind == comic.KindFree && (r.Prob < readProb || isSound(r.Text))
}

// markKinds sets the kinds of sound effects and of furniture on a page of the given height and size of dialogue, and clears the text of
// effects that were not read with confidence.
func markKinds(all []comic.Region, height int, size float64) {
	for i := range all {
		r := &all[i]
		if isEffect(*r, size) {
			r.Kind = comic.KindEffect
			if r.Prob < readProb {
				r.Text, r.Unread = "", true
			}
		}
		if isFurniture(*r, height, size) {
			r.Kind = comic.KindFurniture
		}
	}
}

const (
	// margin is the part of the page's height, at its top and at its bottom, that holds page furniture.
	margin = 0.08
	// creditSize is the greatest size of credits in units of the size of the page's dialogue: credits are set smaller. imprintLetters is
	// the number of characters from which such small print is credits whatever it says: no dialogue is that long.
	creditSize, imprintLetters = 0.9, 600
)

// credit matches what credits and watermarks say, and stories rarely do.
var credit = regexp.MustCompile(`(?i)https?:|www\.|\b[a-z0-9-]+\.(com|net|org|io|jp|cn)\b|[©@]|copyright|all rights|\bisbn\b|scanlat|` +
	`\b(translated|translation|lettered|typeset|cleaned|scanned|edited|published|artwork) by\b|\b(story|art|colors|letters|lettering): |` +
	`翻译|翻譯|校对|汉化|漢化|嵌字|扫图|翻訳|作画|転載|無断`)

// isFurniture reports whether a region is a watermark, credits, or a page number in the margins of a page of the given height.
func isFurniture(r comic.Region, height int, size float64) bool {
	says := credit.MatchString(r.Text) || utf8.RuneCountInString(r.Text) >= imprintLetters
	if says && r.FontSize <= creditSize*size {
		return true
	}
	_, y0, _, y1 := r.Bounds()
	if h := float64(height); y1 > margin*h && y0 < (1-margin)*h {
		return false
	}
	digits := strings.Trim(r.Text, " -–—.・·pPＰ")
	return len(r.Lines) == 1 && digits != "" && strings.TrimFunc(digits, unicode.IsDigit) == ""
}
