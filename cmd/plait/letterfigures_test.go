package main

import (
	"image"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/comic/textarea"
	"plait/internal/languages"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
	"plait/internal/translate/script"
)

// letterFigures is a line of bench/letter.jsonl: the pages of one folder with the texts of one language. Shares are 0..1.
// Dialogue is what stands on one color; margins are distances of glyph pixels from the nearest pixel of another color.
type letterFigures struct {
	Case  string `json:"case"`
	Pages string `json:"folder"`
	Onto  string `json:"onto"`
	Text  string `json:"text"`

	Blocks   int `json:"blocks"`
	Dialogue int `json:"dialogue"`
	// Own, Shared and Leaks: the dialogue whose bounded interior is its own, or a part of one that it shares; the rest.
	Own    float64 `json:"own_interior"`
	Shared float64 `json:"shared_interior"`
	Leaks  float64 `json:"leaks"`

	// Outside are blocks with a glyph beyond their ground or the page, Overflow those that did not fit legibly.
	Outside  int `json:"blocks_outside"`
	Overflow int `json:"blocks_overflow"`
	// Cap heights are measured on the pixels: the 85th percentile of the heights of glyphs. Margins in cap heights; Roomy is the share of dialogue with 0.35 or more.
	MarginMedian float64 `json:"margin_median"`
	MarginP10    float64 `json:"margin_p10"`
	Roomy        float64 `json:"margin_kept"`
	// SameSize is the share of the pages' normal dialogue (source size within 1.36 of the page's median) within 10 % of
	// its page's median cap height; CapMedian and CapP10 are of cap heights in % of the page height.
	SameSize  float64 `json:"same_size"`
	CapMedian float64 `json:"cap_median"`
	CapP10    float64 `json:"cap_p10"`
	// Pitch is the median distance of lines in cap heights, Fill the median share of the text area that the text's box takes.
	Pitch float64 `json:"line_pitch"`
	Fill  float64 `json:"fill"`

	// CER is the character error rate of letters only when the dialogue is read back, Exact the share of blocks without
	// an error.
	CER   float64 `json:"letters_cer"`
	Exact float64 `json:"exact_blocks"`

	SecondsPerPage float64 `json:"seconds_per_page"`
	MaxSeconds     float64 `json:"seconds_at_most"`

	// files are those of the pages.
	files []string

	own, shared, leaks, same, normal, exact, wrong, letters int

	margins, caps, pitches, fills, seconds []float64
}

// letteredPage is a page that was lettered.
type letteredPage struct {
	lang         string
	regions      []comic.Region // those that have a text
	texts        map[int]string
	page, erased *image.NRGBA
	report       letter.Report
	seconds      float64
	// flat are the regions that stand on one color, by index.
	flat map[int]bool
}

// groundLevels: a pixel within so many levels of the ground belongs to it.
const groundLevels = 24

func (p *letteredPage) measure(f *letterFigures) {
	f.seconds = append(f.seconds, p.seconds)
	columns := func(r comic.Region) bool { return r.Direction == comic.Vertical && languages.IsCJK(p.lang) }
	areas := textarea.Find(p.erased, p.regions, columns)
	at := map[int]int{}
	for i, r := range p.regions {
		at[r.Index] = i
	}
	p.flat = map[int]bool{}
	var sizes []float64
	for _, r := range p.report.Regions {
		region, s := p.regions[at[r.Index]], areas[at[r.Index]]
		f.Blocks++
		if r.Fit == letter.Overflow {
			f.Overflow++
		}
		ink := p.inkOf(r)
		r.Cap = glyphHeight(ink, r.Cap)
		flat, margin := p.margin(r, ink)
		if region.Kind != comic.KindDialogue || !flat {
			continue
		}
		p.flat[r.Index] = true
		f.Dialogue++
		f.count(s, r, margin)
		if pitch := linePitch(ink, region.Direction == comic.Vertical && languages.IsCJK(p.lang)); pitch > 0 {
			f.pitches = append(f.pitches, pitch/r.Cap)
		}
		f.caps = append(f.caps, 100*r.Cap/float64(p.page.Rect.Dy()))
		if p.normal(region) {
			sizes = append(sizes, r.Cap)
		}
	}
	if len(sizes) > 0 {
		usual := median(slices.Clone(sizes))
		for _, v := range sizes {
			f.normal++
			if math.Abs(v-usual) <= 0.1*usual {
				f.same++
			}
		}
	}
}

func (f *letterFigures) count(s *textarea.Area, r letter.Lettered, margin float64) {
	switch {
	case !s.Bubble:
		f.leaks++
	case s.Shared:
		f.shared++
	default:
		f.own++
	}
	if s.Bubble {
		f.fills = append(f.fills, float64(r.Box.Dx()*r.Box.Dy())/float64(max(s.Count(), 1)))
	}
	if margin <= 0 {
		f.Outside++
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
	return r.FontSize < 1.36*usual && r.FontSize > usual/1.36
}

// inkOf are the pixels that lettering a region changed.
func (p *letteredPage) inkOf(r letter.Lettered) *bitmap.Bitmap {
	ink := bitmap.New(r.Box)
	for i := range ink.Pix {
		at := ink.Point(i)
		if raster.Difference(pixel(p.page, at), pixel(p.erased, at)) > groundLevels {
			ink.Pix[i] = 1
		}
	}
	return ink
}

// glyphHeight is the height that 85 % of the parts of the glyphs do not exceed: that of capitals, of whole ideographs.
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
	return quantile(heights, 0.85)
}

func pixel(img *image.NRGBA, at image.Point) raster.RGB {
	c := img.NRGBAAt(at.X, at.Y)
	return raster.RGB{c.R, c.G, c.B}
}

// margin is the least distance of a glyph pixel from what is not the ground, in pixels; flat tells whether there is one
// ground at all.
func (p *letteredPage) margin(r letter.Lettered, ink *bitmap.Bitmap) (flat bool, margin float64) {
	var levels [3][]float64
	for i, set := range ink.Pix {
		if set != 0 {
			for k, v := range pixel(p.erased, ink.Point(i)) {
				levels[k] = append(levels[k], float64(v))
			}
		}
	}
	if len(levels[0]) == 0 {
		return false, 0
	}
	ground := raster.RGB{uint8(median(levels[0])), uint8(median(levels[1])), uint8(median(levels[2]))}
	other := bitmap.New(r.Box.Inset(-int(3*r.Cap) - 2))
	for i := range other.Pix {
		at := other.Point(i)
		if !at.In(p.page.Rect) || raster.Difference(pixel(p.erased, at), ground) > groundLevels {
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
	return float64(off) < 0.1*float64(n), math.Sqrt(float64(least))
}

// linePitch is the median distance of the lines, or columns, in pixels: of the starts of the bands of ink; 0 for one.
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
	if len(gaps) == 0 {
		return 0
	}
	return median(gaps)
}

// compare gives what was read to the dialogue in whose box it stands.
func (p *letteredPage) compare(read []comic.Region, f *letterFigures) {
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
		}
	}
}

// finish makes shares and medians of what was counted.
func (f *letterFigures) finish() {
	share := func(n, of int) float64 { return math.Round(1000*float64(n)/float64(max(of, 1))) / 1000 }
	f.Own, f.Shared, f.Leaks = share(f.own, f.Dialogue), share(f.shared, f.Dialogue), share(f.leaks, f.Dialogue)
	f.Roomy = share(len(f.margins)-len(slices.DeleteFunc(slices.Clone(f.margins), func(m float64) bool { return m >= 0.35 })), len(f.margins))
	f.SameSize, f.Exact = share(f.same, f.normal), share(f.exact, f.Dialogue)
	f.CER = math.Round(1e4*float64(f.wrong)/float64(max(f.letters, 1))) / 1e4
	f.MarginMedian, f.MarginP10 = quantile(f.margins, 0.5), quantile(f.margins, 0.1)
	f.CapMedian, f.CapP10 = quantile(f.caps, 0.5), quantile(f.caps, 0.1)
	f.Pitch, f.Fill = quantile(f.pitches, 0.5), quantile(f.fills, 0.5)
	var sum float64
	for _, s := range f.seconds {
		sum += s
	}
	f.SecondsPerPage, f.MaxSeconds = sum/float64(max(len(f.seconds), 1)), quantile(f.seconds, 1)
}

// quantile is the value below which the given part of values lies, 0 without values.
func quantile(values []float64, part float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return math.Round(1000*values[int(part*float64(len(values)-1)+0.5)]) / 1000
}
