package main

import (
	"image"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/comic/readingorder"
	"plait/internal/comic/textarea"
	"plait/internal/languages"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
	"plait/internal/translate/script"
)

// The constants of measuring lettering. Levels are of [raster.Difference].
const (
	// A pixel within groundLevels of the color of the ground belongs to it.
	groundLevels = 24
	// A text stands on one color if less than groundShare of its glyph pixels are off the ground.
	groundShare = 0.1
	// The source of normal dialogue has at most usualSize times the median size of the page's dialogue, and at least the median divided by it.
	usualSize = 1.36
	// A block has the same size as the others if its cap height is within sameSize of their median, as a share.
	sameSize = 0.1
	// A margin of at least roomyMargin cap heights is kept.
	roomyMargin = 0.35
	// The cap height is the height that capShare of the parts of glyphs do not exceed: that of capitals, or of whole ideographs.
	capShare = 0.85
)

// letteredPage is a page that was lettered.
type letteredPage struct {
	name, lang string
	regions    []comic.Region // those that have a text
	texts      map[int]string
	// human are the blocks of each region, by index, on the page that a person lettered in that language; nil if there is none.
	human map[int][]block
	// strokes are the widths of the strokes of these blocks, by index, in units of the height of their letters: 0 if it is not known. It is nil
	// if there is no such page.
	strokes map[int]float64
	// original is the page with its own lettering, erased without it, and page with the new one.
	original, erased, page *image.NRGBA
	report                 letter.Report
	seconds                float64
	// flat are the regions that stand on one color, by index.
	flat map[int]bool
}

// columns reports whether the text of a region is set in columns.
func (p *letteredPage) columns(r comic.Region) bool {
	return r.Direction == comic.Vertical && languages.IsCJK(p.lang)
}

// measure measures the pixels of the page.
func (p *letteredPage) measure(f *letterTally) {
	f.pages++
	f.seconds = append(f.seconds, p.seconds)
	areas := textarea.Find(p.erased, p.erased, readingorder.Look(p.erased), p.regions, p.columns)
	at := map[int]int{}
	for i, r := range p.regions {
		at[r.Index] = i
	}
	p.flat = map[int]bool{}
	var sizes []float64
	for _, r := range p.report.Regions {
		region, s := p.regions[at[r.Index]], areas[at[r.Index]]
		f.blocks++
		if r.Fit != letter.Fits {
			f.overflow++
			f.faults = append(f.faults, p.fault("overflow", r.Index))
		}
		glyphs := inkOf(p.page, p.erased, r.Box)
		r.Cap = glyphHeight(glyphs, r.Cap)
		flat, margin := p.margin(r, glyphs)
		if region.Kind != comic.KindDialogue || !flat {
			continue
		}
		p.flat[r.Index] = true
		f.dialogue++
		if margin <= 0 {
			f.outside++
			f.faults = append(f.faults, p.fault("outside", r.Index))
		}
		f.count(s, r, margin)
		if pitch := linePitch(glyphs, p.columns(region)); pitch > 0 {
			f.pitches = append(f.pitches, pitch/r.Cap)
		}
		if weight := p.weight(region, r); weight > 0 {
			f.weights = append(f.weights, weight)
		}
		f.caps = append(f.caps, 100*r.Cap/float64(p.page.Rect.Dy()))
		if p.normal(region) {
			sizes = append(sizes, r.Cap)
		}
	}
	usual := median(sizes)
	for _, v := range sizes {
		f.normal++
		if math.Abs(v-usual) <= sameSize*usual {
			f.same++
		}
	}
}

// fault names a region with a fault.
func (p *letteredPage) fault(what string, index int) string {
	return p.name + " " + what + ": " + shortened(p.texts[index])
}

func (f *letterTally) count(s *textarea.Area, r letter.Lettered, margin float64) {
	if !s.Bubble {
		f.leaks++
	} else {
		f.fills = append(f.fills, float64(r.Box.Dx()*r.Box.Dy())/float64(max(s.Count(), 1)))
	}
	f.margins = append(f.margins, margin/r.Cap)
}

// normal reports whether the source of a region has the usual size of the dialogue of the page.
func (p *letteredPage) normal(r comic.Region) bool {
	var sizes []float64
	for _, o := range p.regions {
		if o.Kind == comic.KindDialogue {
			sizes = append(sizes, o.FontSize)
		}
	}
	usual := median(sizes)
	return r.FontSize < usualSize*usual && r.FontSize > usual/usualSize
}

// inkOf returns the pixels in a box that lettering changed.
func inkOf(page, bare *image.NRGBA, box image.Rectangle) *bitmap.Bitmap {
	ink := bitmap.New(box)
	for i := range ink.Pix {
		at := ink.Point(i)
		if raster.Difference(raster.At(page, at.X, at.Y), raster.At(bare, at.X, at.Y)) > groundLevels {
			ink.Pix[i] = 1
		}
	}
	return ink
}

// glyphHeight returns the cap height; otherwise if there are no glyphs.
func glyphHeight(ink *bitmap.Bitmap, otherwise float64) float64 {
	var heights []float64
	for _, c := range ink.Components() {
		if len(c.Pixels) >= 12 && c.Bounds.Dy() >= 6 {
			heights = append(heights, float64(c.Bounds.Dy()))
		}
	}
	if len(heights) == 0 {
		return otherwise
	}
	return quantile(heights, capShare)
}

// margin returns the least distance of a glyph pixel from what is not the ground, in pixels. flat reports whether the text stands on one
// color.
func (p *letteredPage) margin(r letter.Lettered, ink *bitmap.Bitmap) (flat bool, margin float64) {
	var behind []raster.RGB
	for i, set := range ink.Pix {
		if set != 0 {
			at := ink.Point(i)
			behind = append(behind, raster.At(p.erased, at.X, at.Y))
		}
	}
	if len(behind) == 0 {
		return false, 0
	}
	ground, _ := raster.Median(behind, 0)
	other := bitmap.New(r.Box.Inset(-int(3*r.Cap) - 2))
	for i := range other.Pix {
		at := other.Point(i)
		if !at.In(p.page.Rect) || raster.Difference(raster.At(p.erased, at.X, at.Y), ground) > groundLevels {
			other.Pix[i] = 1
		}
	}
	room, least, off, n := other.Distance(), int32(bitmap.Far), 0, 0
	for i, set := range ink.Pix {
		if set == 0 {
			continue
		}
		at := ink.Point(i)
		d := room[other.Offset(at.X, at.Y)]
		least = min(least, d)
		n++
		if d == 0 {
			off++
		}
	}
	return float64(off) < groundShare*float64(n), math.Sqrt(float64(least))
}

// linePitch returns the median distance of the lines or columns in pixels, from where the ink of one begins to where that of the next
// does; 0 for a single line.
func linePitch(ink *bitmap.Bitmap, columns bool) float64 {
	n := ink.Rect.Dy()
	if columns {
		n = ink.Rect.Dx()
	}
	if n == 0 {
		return 0
	}
	profile := make([]float64, n)
	for i, set := range ink.Pix {
		at := ink.Point(i).Sub(ink.Rect.Min)
		if columns {
			at.Y = at.X
		}
		profile[at.Y] += float64(set)
	}
	most := max(slices.Max(profile), 1)
	var starts []int
	inside := false
	for i := range profile {
		var sum float64
		for _, v := range profile[max(0, i-2):min(n, i+3)] {
			sum += v / 5
		}
		if on := sum > 0.12*most; on != inside {
			if inside = on; on {
				starts = append(starts, i)
			}
		}
	}
	var gaps []float64
	for i := 1; i < len(starts); i++ {
		gaps = append(gaps, float64(starts[i]-starts[i-1]))
	}
	return median(gaps)
}

// compare assigns the lines that were read to the dialogue in whose box they are, and counts errors in letters and digits.
func (p *letteredPage) compare(read []comic.Region, f *letterTally) {
	got := map[int]string{}
	for _, r := range read {
		for i, q := range r.Lines {
			x0, y0, x1, y1 := q.Bounds()
			middle := image.Pt(int(x0+x1)/2, int(y0+y1)/2)
			for _, set := range p.report.Regions {
				if middle.In(set.Box.Inset(-int(0.4 * set.Cap))) {
					got[set.Index] += r.Texts[i] + " "
					break
				}
			}
		}
	}
	for _, set := range p.report.Regions {
		if !p.flat[set.Index] {
			continue
		}
		want, has := script.Normalize(p.texts[set.Index]), script.Normalize(got[set.Index])
		errs := levenshtein.ComputeDistance(want, has)
		f.wrong, f.letters = f.wrong+errs, f.letters+utf8.RuneCountInString(want)
		if errs == 0 {
			f.exact++
		} else {
			f.faults = append(f.faults, p.fault("misread", set.Index))
		}
	}
}
