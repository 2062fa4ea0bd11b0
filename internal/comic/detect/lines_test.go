package detect

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

// mapOf makes a map from rows in which '#' is certain text and '.' is no text.
func mapOf(rows ...string) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, len(rows[0]), len(rows)))
	for y, row := range rows {
		for x, c := range row {
			if c == '#' {
				m.Pix[y*m.Stride+x] = 255
			}
		}
	}
	return m
}

func TestComponents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows []string
		want []int // pixels of each
	}{
		"none":             {[]string{"....", "...."}, nil},
		"corners touch":    {[]string{"#...", ".#..", "..##"}, []int{4}},
		"a row between":    {[]string{"####", "....", "####"}, []int{4, 4}},
		"joined from both": {[]string{"#.#.#", "#.#.#", "#####"}, []int{11}},
		"inside a ring":    {[]string{"#####", "#...#", "#.#.#", "#...#", "#####"}, []int{16, 1}},
		"side by side":     {[]string{"##.##", "##.##"}, []int{4, 4}},
		"late joint":       {[]string{"..#", "#.#", "#.#", "###"}, []int{8}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sizes []int
			for _, c := range componentsOf(mapOf(c.rows...), 0.3) {
				sizes = append(sizes, c.Area)
			}
			require.Equal(t, c.want, sizes)
		})
	}
}

// ribbon makes a map with one rectangle of certain text.
func ribbon(width, height int, q raster.Quad) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			if q.Contains(raster.Point{float64(x) + 0.5, float64(y) + 0.5}) {
				m.Pix[y*width+x] = 255
			}
		}
	}
	return m
}

func TestLinesOfRectangle(t *testing.T) {
	t.Parallel()
	for _, degrees := range []float64{0, 5, -12, 30, -40} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		core := raster.QuadOf(-80, -10, 80, 10).Mapped(func(p raster.Point) raster.Point {
			return raster.Point{150 + p[0]*cos - p[1]*sin, 120 + p[0]*sin + p[1]*cos}
		})
		p := DefaultParams()
		lines := p.lines(p.cores(ribbon(300, 240, core)), 0.5, image.Rect(0, 0, 600, 480))
		require.Len(t, lines, 1)
		require.Greater(t, lines[0].Score, 0.9)
		// Each side grows by area x 1.6 / perimeter, and the page is twice as large as the map.
		grown := 160.0 * 20 * 1.6 / 360
		q := lines[0].Quad
		along := math.Hypot(q[1][0]-q[0][0], q[1][1]-q[0][1])
		across := math.Hypot(q[3][0]-q[0][0], q[3][1]-q[0][1])
		require.InDelta(t, 2*(160+2*grown), along, 8)
		require.InDelta(t, 2*(20+2*grown), across, 8)
		require.InDelta(t, degrees, math.Atan2(q[1][1]-q[0][1], q[1][0]-q[0][0])*180/math.Pi, 1.5)
	}
}

func TestNoiseIsNoLine(t *testing.T) {
	t.Parallel()
	p := DefaultParams()
	page := image.Rect(0, 0, 40, 40)
	require.Empty(t, p.lines(p.cores(ribbon(40, 40, raster.QuadOf(10, 19, 30, 21))), 1, page), "too thin")
	faint := ribbon(40, 40, raster.QuadOf(10, 15, 30, 25))
	for i, v := range faint.Pix {
		faint.Pix[i] = v / 2
	}
	require.Empty(t, p.lines(p.cores(faint), 1, page), "above the threshold, below the score")
}

func TestCutOwnsEveryPixelOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ width, height, most, pixels int }{
		{100, 100, 1, 10_000}, {640, 640, 1, 409_600}, {1240, 1754, 12, 409_600}, {2480, 1754, 20, 409_600}, {641, 40, 2, 20_000},
		{800, 15607, 29, 512_000}, {1240, 20000, 74, 512_000}, {2000, 9000, 51, 512_000},
	} {
		tiles := DefaultParams().cut(c.width, c.height)
		require.LessOrEqual(t, len(tiles), c.most)
		area := 0
		for i, a := range tiles {
			require.True(t, a.owned.In(a.seen))
			require.True(t, a.seen.In(image.Rect(0, 0, c.width, c.height)))
			require.LessOrEqual(t, max(a.seen.Dx(), a.seen.Dy()), 800)
			require.LessOrEqual(t, a.seen.Dx()*a.seen.Dy(), c.pixels)
			area += a.owned.Dx() * a.owned.Dy()
			for _, b := range tiles[i+1:] {
				require.True(t, a.owned.Intersect(b.owned).Empty())
			}
		}
		require.Equal(t, c.width*c.height, area)
	}
}

func TestScale(t *testing.T) {
	t.Parallel()
	p := DefaultParams()
	for _, c := range []struct {
		width, height int
		want          float64
	}{
		{1240, 1754, 1.129},
		{1400, 1980, 1},
		{992, 1403, 1.411},
		{620, 877, 2},
		{300, 425, 2}, // more enlargement would add no detail
		{2800, 3960, 0.554},
		{1984, 1403, 1.411}, // the lettering on a spread is as large as on a page
		{720, 14046, 1},
		{320, 5000, 2},
	} {
		require.InDelta(t, c.want, p.scale(c.width, c.height), 0.01, "%dx%d", c.width, c.height)
	}
	for _, c := range []struct {
		width, height int
		want          float64
	}{{1240, 1754, 0.581}, {2480, 1754, 0.581}, {2480, 3507, 0.29}, {480, 680, 1}, {720, 14046, 0}} {
		require.InDelta(t, c.want, p.wholeScale(c.width, c.height), 0.01, "%dx%d", c.width, c.height)
	}
	require.Zero(t, FastParams().wholeScale(1240, 1754))
	require.Equal(t, p.cut(720, 14046), FastParams().cut(720, 14046), "a strip is never seen whole, so large tiles show no more of it")
}

func TestSample(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 4, 2))
	for i := range 8 {
		copy(img.Pix[4*i:], []uint8{255, 0, 51, 255})
	}
	copy(img.Pix[4*3:], []uint8{0, 0, 0, 0}) // transparent: white
	const n = 32 * 32
	planes := make([]float32, 3*n)
	sample(img, 1, image.Rect(0, 0, 4, 2), 32, 32, planes)
	at := func(channel, x, y int) float64 {
		return float64(planes[channel*n+y*32+x]*channelDeviation[channel] + channelMean[channel])
	}
	require.InDelta(t, 0.2, at(0, 1, 1), 1e-5, "blue comes first")
	require.InDelta(t, 0, at(1, 1, 1), 1e-5)
	require.InDelta(t, 1, at(2, 1, 1), 1e-5)
	require.InDelta(t, 1, at(1, 3, 0), 1e-5)
	require.InDelta(t, at(0, 3, 1), at(0, 31, 31), 1e-5, "the edge goes on")

	clear(planes)
	sample(img, 0.5, image.Rect(0, 0, 2, 1), 32, 32, planes)
	require.Greater(t, at(1, 1, 0), 0.1, "a reduced pixel holds a share of each")
}

func FuzzLines(f *testing.F) {
	f.Add(uint8(8), []byte("\xff\xff\xff\xff\x00\x00\xff\xff"))
	f.Add(uint8(1), []byte("\x80\xff\x4d\x4c"))
	f.Add(uint8(40), make([]byte, 900))
	f.Fuzz(func(t *testing.T, width uint8, values []byte) {
		if width == 0 || len(values) < int(width) {
			return
		}
		m := &image.Gray{Pix: values, Stride: int(width), Rect: image.Rect(0, 0, int(width), len(values)/int(width))}
		page := image.Rect(0, 0, 2*m.Rect.Dx(), 2*m.Rect.Dy())
		p := DefaultParams()
		p.MinScore = 0
		for _, l := range p.lines(p.cores(m), 0.5, page) {
			require.True(t, l.Score >= 0 && l.Score <= 1)
			for _, c := range l.Quad {
				require.True(t, c[0] >= 0 && c[0] <= float64(page.Dx()) && c[1] >= 0 && c[1] <= float64(page.Dy()))
			}
		}
	})
}

func TestFastScale(t *testing.T) {
	t.Parallel()
	p := FastParams()
	for _, c := range []struct{ width, height, scaledHeight int }{
		{1240, 1754, 1280}, {4000, 5657, 1280}, {2480, 1754, 1280}, {905, 1280, 1280}, {720, 14046, 14046}, {1240, 20000, 14597},
	} {
		require.InDelta(t, c.scaledHeight, float64(c.height)*p.scale(c.width, c.height), 2, "%dx%d", c.width, c.height)
	}
}
