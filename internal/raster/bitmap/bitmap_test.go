package bitmap_test

import (
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

func parse(at image.Point, rows ...string) *bitmap.Bitmap {
	b := bitmap.New(image.Rect(0, 0, len(rows[0]), len(rows)).Add(at))
	for y, row := range rows {
		for x, c := range row {
			if c == '#' {
				b.Add(at.X+x, at.Y+y)
			}
		}
	}
	return b
}

func show(b *bitmap.Bitmap) string {
	var s strings.Builder
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		for x := b.Rect.Min.X; x < b.Rect.Max.X; x++ {
			if b.Has(x, y) {
				s.WriteByte('#')
			} else {
				s.WriteByte('.')
			}
		}
		s.WriteByte('\n')
	}
	return s.String()
}

func TestDistanceIsExact(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		b := bitmap.New(image.Rect(-3, 5, -3+1+rng.IntN(30), 5+1+rng.IntN(30)))
		for range rng.IntN(6) {
			b.Pix[rng.IntN(len(b.Pix))] = 1
		}
		for i, got := range b.Distance() {
			want, p := int32(bitmap.Far), b.Point(i)
			for j, set := range b.Pix {
				if q := b.Point(j); set != 0 {
					d := p.Sub(q)
					want = min(want, int32(d.X*d.X+d.Y*d.Y))
				}
			}
			require.Equal(t, want, got, "%v in\n%s", p, show(b))
		}
	}
}

func TestNearestIsOneOfTheNearest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		b := bitmap.New(image.Rect(-3, 5, -3+1+rng.IntN(30), 5+1+rng.IntN(30)))
		for range rng.IntN(6) {
			b.Pix[rng.IntN(len(b.Pix))] = 1
		}
		distance := b.Distance()
		reach := 1 + rng.IntN(30)
		for i, place := range b.NearestWithin(reach) {
			if distance[i] > int32(reach*reach) {
				require.True(t, place < 0 || b.Pix[place] == 1)
				continue
			}
			require.EqualValues(t, 1, b.Pix[place])
			d := b.Point(i).Sub(b.Point(int(place)))
			require.EqualValues(t, distance[i], d.X*d.X+d.Y*d.Y)
		}
	}
}

func TestDilate(t *testing.T) {
	t.Parallel()
	dot := parse(image.Pt(10, 20), ".......", ".......", ".......", "...#...", ".......", ".......", ".......")
	require.Equal(t, ".......\n...#...\n..###..\n.#####.\n..###..\n...#...\n.......\n", show(dot.Dilate(2)))
}

func TestComponentsTouchAtCorners(t *testing.T) {
	t.Parallel()
	b := parse(image.Pt(5, 5), "#..#", ".#..", "...#")
	parts := b.Components()
	require.Len(t, parts, 3)
	require.Equal(t, image.Rect(5, 5, 7, 7), parts[0].Bounds)
	require.Len(t, parts[0].Pixels, 2)
}

func TestFloodStaysInside(t *testing.T) {
	t.Parallel()
	b := parse(image.Point{}, "##.##", "##.##")
	seed := bitmap.New(image.Rect(-2, -2, 8, 8))
	seed.Add(0, 1)
	require.Equal(t, "##...\n##...\n", show(b.Flood(seed)))
}

func TestUnionAndBounds(t *testing.T) {
	t.Parallel()
	b := parse(image.Point{}, "....", "....")
	require.True(t, b.Bounds().Empty())
	b.Union(parse(image.Pt(2, 1), "##", "##"))
	require.Equal(t, image.Rect(2, 1, 4, 2), b.Bounds())
	require.Equal(t, 2, b.Count())
}

func TestAndAndWithout(t *testing.T) {
	t.Parallel()
	a, b := bitmap.New(image.Rect(2, 3, 4, 4)), bitmap.New(image.Rect(2, 3, 4, 4))
	a.Add(2, 3)
	a.Add(3, 3)
	b.Add(3, 3)
	require.Equal(t, []uint8{0, 1}, a.And(b).Pix)
	require.Equal(t, []uint8{1, 0}, a.Without(b).Pix)
}

func TestSetsOfPixelsByACondition(t *testing.T) {
	t.Parallel()
	odd := bitmap.Where(image.Rect(3, 5, 6, 7), func(at image.Point) bool { return (at.X+at.Y)%2 == 1 })
	require.Equal(t, parse(image.Pt(3, 5), ".#.", "#.#"), odd)
	indices, points := []int{}, []image.Point{}
	for i, at := range odd.All() {
		indices, points = append(indices, i), append(points, at)
	}
	require.Equal(t, []int{1, 3, 5}, indices)
	require.Equal(t, []image.Point{{4, 5}, {3, 6}, {5, 6}}, points)
	require.Equal(t, parse(image.Pt(2, 6), ".#.#."), odd.Over(image.Rect(2, 6, 7, 7)), "larger on two sides, and cut on one")
}

func TestPixelsInWhichPicturesDiffer(t *testing.T) {
	t.Parallel()
	box := image.Rect(0, 0, 3, 2)
	a, b := image.NewNRGBA(box), image.NewNRGBA(box)
	for i := range a.Pix {
		a.Pix[i], b.Pix[i] = 255, 255
	}
	b.Pix[b.PixOffset(1, 0)], b.Pix[b.PixOffset(2, 1)+2] = 245, 235
	require.Equal(t, parse(image.Point{}, ".#.", "..#"), bitmap.Changed(a, b, box, 0))
	require.Equal(t, parse(image.Pt(1, 0), "..", ".#"), bitmap.Changed(a, b, image.Rect(1, 0, 3, 2), 10))
}

func TestComponentsThatAreKept(t *testing.T) {
	t.Parallel()
	b := parse(image.Pt(5, 5), "#..#", ".#..", "...#")
	large := b.Keep(func(c bitmap.Component) bool { return len(c.Pixels) > 1 })
	require.Equal(t, parse(image.Pt(5, 5), "#...", ".#..", "...."), large)
	require.Equal(t, []int{2, 0, 0}, []int{b.Components()[0].In(large), b.Components()[1].In(large), b.Components()[2].In(large)})
}

func TestPixelsInsideAQuad(t *testing.T) {
	t.Parallel()
	b := bitmap.New(image.Rect(0, 0, 4, 3))
	b.Fill(raster.QuadOf(1, 0.4, 9, 1.6))
	require.Equal(t, parse(image.Point{}, ".###", ".###", "...."), b)
}
