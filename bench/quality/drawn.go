package main

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"plait/examples/draw/ink"
)

// drawnWidth and drawnHeight are the size of a drawn page in pixels. A drawn page is black and white manga with six panels. Each panel
// has a random background, and Japanese lettering in a balloon or on the art, most of it vertical.
const drawnWidth, drawnHeight = 1240, 1754

// drawnBooks are the names of the two books of drawn pages. They have different sentences and fonts. The second is for the report.
var drawnBooks = [2]string{"drawn-a", "drawn-b"}

var drawnFonts = [2][]string{
	{"NotoSansJP_500Medium.ttf", "ZenMaruGothic_700Bold.ttf", "DelaGothicOne_400Regular.ttf"},
	{"NotoSansJP_700Bold.ttf", "MPLUSRounded1c_500Medium.ttf", "MPLUSRounded1c_800ExtraBold.ttf"},
}

// drawnSentences are the sentences of each book. A slash separates lines.
var drawnSentences = [2][]string{
	{
		"おはよう", "今日は早いな", "どこへ/行くの？", "駅まで歩いて/十五分くらい/かかるよ", "それは困った/なあ……", "本当に/知らないんだ", "待ってくれ！",
		"三年前の/手紙が/見つかった", "雨が/やんだら/出かけよう", "ここは/静かだね", "えっ", "誰かいるのか？", "すごい/速さだ！", "窓を閉めて",
		"お姉ちゃんに/聞いてみる", "その話は/もう終わりだ", "ありがとう/ございます", "何だと！？", "パンを/ふたつ/ください", "まさか…",
	},
	{
		"こんばんは", "遅かったじゃないか", "これを/見てくれ", "あの山の/向こうに/村がある", "うそだろ……", "私には/わからない/けれど", "逃げろ！",
		"昨日の夜/星が落ちたのを/見たかい", "母さんが/待ってるから/帰るね", "大丈夫/だよ", "あっ", "名前は何て/いうの？", "やった/ついに完成だ！", "火を消せ",
		"先生は/どちらに/いますか", "約束は/守るよ", "失礼/しました", "どうして！？", "コーヒーでも/飲んで/いきなさい", "そんな…",
	},
}

// drawnReadings are the readings of words of each book. They are set beside the words of one sentence in three.
var drawnReadings = [2]map[string]string{
	{
		"今日": "きょう", "早": "はや", "行": "い", "駅": "えき", "十五分": "じゅうごふん", "困": "こま", "本当": "ほんとう", "待": "ま", "三年前": "さんねんまえ",
		"手紙": "てがみ", "雨": "あめ", "出": "で", "静": "しず", "誰": "だれ", "速": "はや", "窓": "まど", "姉": "ねえ", "聞": "き", "話": "はなし", "終": "お",
	},
	{
		"遅": "おそ", "見": "み", "山": "やま", "向": "む", "村": "むら", "私": "わたし", "逃": "に", "昨日": "きのう", "夜": "よる", "星": "ほし", "母": "かあ",
		"待": "ま", "帰": "かえ", "大丈夫": "だいじょうぶ", "名前": "なまえ", "完成": "かんせい", "火": "ひ", "先生": "せんせい", "約束": "やくそく", "失礼": "しつれい",
	},
}

var drawnSounds = [2][]string{{"ドドド", "バキッ", "ガタン", "ザーッ"}, {"ゴゴゴ", "ドカン", "パリン", "ヒュー"}}

var (
	drawnBlack = ink.Hex(0x101010)
	drawnWhite = ink.Hex(0xffffff)
)

// drawnPages draws count pages of each book into memory, from the number first on, with the fonts in a folder. The same arguments give the
// same pages, and other numbers give pages that nobody has seen.
func drawnPages(fonts string, first, count int) ([]truePage, error) {
	var all []truePage
	for half, book := range drawnBooks {
		var loaded []*ink.Font
		for _, name := range drawnFonts[half] {
			font, err := ink.LoadFont(os.DirFS(fonts), name)
			if err != nil {
				return nil, err
			}
			loaded = append(loaded, font)
		}
		for i := first; i < first+count; i++ {
			seeded := func(use int) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), uint64(use))) } //nolint:gosec // the pages must be reproducible
			page, bare := drawing{half: half, fonts: loaded}, drawing{half: half, fonts: loaded, bare: true}
			for _, d := range []*drawing{&page, &bare} {
				d.rng, d.ruby = seeded(half), seeded(half+len(drawnBooks))
			}
			file, err := page.page()
			if err != nil {
				return nil, err
			}
			without, err := bare.page()
			if err != nil {
				return nil, err
			}
			all = append(all, truePage{Book: book, Lang: "ja", Name: fmt.Sprintf("%02d", i+1), Image: file, Bare: without, Blocks: page.blocks})
		}
	}
	return all, nil
}

// drawing is the state of a page that is being drawn.
type drawing struct {
	half   int
	bare   bool // without the lettering; the balloons stay
	rng    *rand.Rand
	ruby   *rand.Rand // chooses the sentences with readings
	fonts  []*ink.Font
	blocks []block
	canvas *ink.Canvas
}

// page draws a page and returns it as a JPEG.
func (d *drawing) page() ([]byte, error) {
	const margin, gutter, columns, rows = 50, 24, 2, 3
	d.canvas = ink.NewCanvas(drawnWidth, drawnHeight, drawnWhite)
	width, height := float64(drawnWidth-2*margin-gutter)/columns, float64(drawnHeight-2*margin-2*gutter)/rows
	for i := range columns * rows {
		x0, y0 := margin+float64(i%columns)*(width+gutter), margin+float64(i/columns)*(height+gutter)
		if err := d.panel(x0, y0, x0+width, y0+height); err != nil {
			return nil, err
		}
	}
	gray := image.NewGray(d.canvas.Image().Bounds())
	for i := range gray.Pix {
		gray.Pix[i] = d.canvas.Image().Pix[4*i]
	}
	var file bytes.Buffer
	err := jpeg.Encode(&file, gray, &jpeg.Options{Quality: 88})
	return file.Bytes(), err
}

// panel draws a panel: a background, then one or two pieces of lettering, then its border.
func (d *drawing) panel(x0, y0, x1, y1 float64) error {
	frame := ink.Rect(x0, y0, x1, y1)
	c := d.canvas.Clip(frame)
	d.ground(c, x0, y0, x1, y1)
	whole := *d
	whole.canvas = c
	for i := range 2 {
		x, y := x0+(x1-x0)*(0.74-0.48*float64(i)), y0+(y1-y0)*(0.35+0.3*d.rng.Float64())
		err := error(nil)
		switch {
		case i == 1 && d.rng.IntN(4) == 0:
			err = whole.drawSound(x, y)
		case i == 0 || d.rng.IntN(2) == 0:
			err = whole.say(x, y)
		}
		if err != nil {
			return err
		}
	}
	d.blocks = whole.blocks
	d.canvas.Line(frame, 5, drawnBlack)
	return nil
}

// ground draws the background of the lettering: blank paper, screentone dots, speed lines, rays, black, or hatching.
func (d *drawing) ground(c *ink.Canvas, x0, y0, x1, y1 float64) {
	p := ink.New()
	switch d.rng.IntN(7) {
	case 0:
		return
	case 1, 2:
		pitch := 6 + 6*d.rng.Float64()
		radius := pitch * (0.15 + 0.2*d.rng.Float64())
		for row, y := 0, y0; y <= y1; row, y = row+1, y+pitch/2 {
			for x := x0 + float64(row%2)*pitch/2; x <= x1; x += pitch {
				p.Join(ink.Circle(x, y, radius))
			}
		}
	case 3:
		for y := y0; y < y1; y += 4 + 16*d.rng.Float64() {
			from := x0 + (x1-x0)*0.5*d.rng.Float64()
			p.Join(ink.Poly(from, y, x1, y-1-2*d.rng.Float64(), x1, y+1+2*d.rng.Float64()))
		}
	case 4:
		x, y := (x0+x1)/2, (y0+y1)/2
		for a := 0.0; a < 2*math.Pi; a += 0.03 + 0.1*d.rng.Float64() {
			s, k := math.Sincos(a)
			s1, k1 := math.Sincos(a + 0.02)
			r := 90 + 60*d.rng.Float64()
			p.Join(ink.Poly(x+r*k, y+r*s, x+700*k, y+700*s, x+700*k1, y+700*s1))
		}
	case 5:
		p = ink.Rect(x0, y0, x1, y1)
	case 6:
		for x := x0 - (y1 - y0); x < x1; x += 9 {
			p.Join(ink.Poly(x, y1, x+y1-y0, y0, x+y1-y0+2, y0, x+2, y1))
		}
	}
	c.Fill(p, drawnBlack)
}

// say letters a sentence around a point: in a balloon, a box or a burst, or on the art with a white outline.
func (d *drawing) say(x, y float64) error {
	sentences := drawnSentences[d.half]
	lines := strings.Split(sentences[d.rng.IntN(len(sentences))], "/")
	size := 24 + 18*d.rng.Float64()
	down := d.rng.IntN(5) > 0
	var readings map[string]string
	if d.ruby.IntN(3) == 0 {
		readings = drawnReadings[d.half]
	}
	glyphs, err := set(d.fonts[d.rng.IntN(2)], lines, readings, size, down)
	if err != nil {
		return err
	}
	glyphs = glyphs.Move(x, y)
	at, _ := d.canvas.Box(glyphs)
	rx, ry := float64(at[2]-at[0])/2, float64(at[3]-at[1])/2
	x, y = float64(at[0]+at[2])/2, float64(at[1]+at[3])/2
	switch d.rng.IntN(6) {
	case 0, 1, 2:
		d.canvas.Shape(ink.Superellipse(x, y, 1.25*rx+0.7*size, 1.25*ry+0.7*size, 2.3), drawnWhite, 4, drawnBlack)
	case 3:
		d.canvas.Shape(ink.Rect(x-rx-0.5*size, y-ry-0.5*size, x+rx+0.5*size, y+ry+0.5*size), drawnWhite, 3, drawnBlack)
	case 4:
		d.canvas.Shape(burst(x, y, 1.4*rx+1.1*size, 1.4*ry+1.1*size), drawnWhite, 3, drawnBlack)
	default:
		d.outline(glyphs, 0.24*size, drawnWhite)
	}
	d.fill(glyphs, drawnBlack)
	d.note(at, lines, dialogue)
	return nil
}

// drawSound letters a sound on the art, white with a black outline or black with a white outline.
func (d *drawing) drawSound(x, y float64) error {
	sounds := drawnSounds[d.half]
	line := sounds[d.rng.IntN(len(sounds))]
	glyphs, err := set(d.fonts[2], []string{line}, nil, 70+50*d.rng.Float64(), d.rng.IntN(2) == 0)
	if err != nil {
		return err
	}
	s, k := math.Sincos((d.rng.Float64() - 0.5) * math.Pi / 6)
	glyphs = glyphs.Map(func(p ink.Pt) ink.Pt { return ink.Pt{X: p.X*k - p.Y*s, Y: p.X*s + p.Y*k} }).Move(x, y)
	fill, edge := drawnBlack, drawnWhite
	if d.rng.IntN(2) == 0 {
		fill, edge = edge, fill
	}
	d.outline(glyphs, 14, edge)
	d.fill(glyphs, fill)
	at, _ := d.canvas.Box(glyphs)
	d.note(at, []string{line}, sound)
	return nil
}

// outline and fill draw lettering.
func (d *drawing) outline(glyphs *ink.Path, width float64, paint ink.Paint) {
	if !d.bare {
		d.canvas.Line(glyphs, width, paint)
	}
}

func (d *drawing) fill(glyphs *ink.Path, paint ink.Paint) {
	if !d.bare {
		d.canvas.Fill(glyphs, paint)
	}
}

func (d *drawing) note(at [4]int, lines []string, k kind) {
	b := block{Lines: lines, kind: k}
	for i, v := range at {
		b.Box[i] = float64(v)
	}
	d.blocks = append(d.blocks, b)
}

// burst returns the outline of a spiky balloon.
func burst(x, y, rx, ry float64) *ink.Path {
	const spikes = 20
	var xy []float64
	for i := range 2 * spikes {
		s, c := math.Sincos(math.Pi * float64(i) / spikes)
		r := 1.15 - 0.3*float64(i%2)
		xy = append(xy, x+r*rx*c, y+r*ry*s)
	}
	return ink.Poly(xy...)
}

// set sets lines around the origin: horizontally, or with down vertically from right to left, with the vertical forms of characters. Beside
// the words that have readings it sets these, at half the size.
func set(font *ink.Font, lines []string, readings map[string]string, size float64, down bool) (*ink.Path, error) {
	const rubyAcross = 0.78 // from the middle of a line to that of its readings, in ems
	leading := 1.4          // in ems
	if readings != nil {
		leading = 1.8
	}
	out := ink.New()
	for i, line := range lines {
		across, start := (float64(i)-float64(len(lines)-1)/2)*leading*size, -float64(longest(lines))/2*size
		if err := setLine(out, font, line, across, start, size, down); err != nil {
			return nil, err
		}
		for _, word := range slices.Sorted(maps.Keys(readings)) {
			before, _, has := strings.Cut(line, word)
			if !has {
				continue
			}
			reading := readings[word]
			middle := start + (float64(utf8.RuneCountInString(before))+float64(utf8.RuneCountInString(word))/2)*size
			from := middle - float64(utf8.RuneCountInString(reading))*size/4
			if err := setLine(out, font, reading, across-rubyAcross*size, from, size/2, down); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// setLine sets one line. Across and along are where its middle and its beginning are, in the direction of lines and that of characters.
func setLine(out *ink.Path, font *ink.Font, line string, across, along, size float64, down bool) error {
	const middle = 0.38 // from the baseline to the middle of a character, in ems
	for j, r := range []rune(line) {
		glyph, advance, err := font.Glyph(r, size)
		if err != nil {
			return err
		}
		at := along + (float64(j)+0.5)*size
		glyph = glyph.Move(-advance/2, middle*size)
		if down {
			out.Join(verticalForm(r, glyph, size).Move(-across, at))
		} else {
			out.Join(glyph.Move(at, across))
		}
	}
	return nil
}

func longest(lines []string) int {
	most := 0
	for _, l := range lines {
		most = max(most, len([]rune(l)))
	}
	return most
}

// verticalForm returns the glyph of a character for vertical text.
func verticalForm(r rune, glyph *ink.Path, size float64) *ink.Path {
	switch {
	case strings.ContainsRune("ぁぃぅぇぉっゃゅょァィゥェォッャュョ", r):
		return glyph.Move(0.1*size, -0.1*size)
	case r == 'ー':
		return glyph.Map(func(p ink.Pt) ink.Pt { return ink.Pt{X: p.Y, Y: p.X} })
	case r == '…':
		return glyph.Map(func(p ink.Pt) ink.Pt { return ink.Pt{X: -p.Y, Y: p.X} })
	}
	return glyph
}
