package embed

import (
	"fmt"
	"math"

	"github.com/tdewolff/font"
)

// metrics are what a font descriptor says about a face, in 1/1000 of the size.
type metrics struct {
	glyphs          int
	advances        []uint16 // in units of the face
	scale           float64  // of these units
	box             [4]float64
	ascent, descent float64
	cap             float64
	italic          float64 // the angle in degrees
	fixed           bool
	stem            float64
	cff             bool
}

// width returns the width of a glyph, rounded to 1/1000 of a unit, as the array of widths has it.
func (m *metrics) width(id uint16) float64 { return thousandth(float64(m.advances[id]) * m.scale) }

func thousandth(x float64) float64 { return math.Round(x*1000) / 1000 }

func readMetrics(data []byte) (metrics, error) {
	face, err := font.ParseSFNT(data, 0)
	if err != nil {
		return metrics{}, err
	}
	if face.Head.UnitsPerEm == 0 {
		return metrics{}, fmt.Errorf("the face has no units")
	}
	scale := 1000 / float64(face.Head.UnitsPerEm)
	m := metrics{
		glyphs: int(face.NumGlyphs()), scale: scale, italic: face.Post.ItalicAngle, fixed: face.Post.IsFixedPitch != 0, cff: face.IsCFF,
		ascent: float64(face.Hhea.Ascender) * scale, descent: float64(face.Hhea.Descender) * scale,
		box: [4]float64{
			float64(face.Head.XMin) * scale, float64(face.Head.YMin) * scale, float64(face.Head.XMax) * scale, float64(face.Head.YMax) * scale,
		},
	}
	m.cap, m.stem = m.ascent*.75, 80
	if face.OS2 != nil {
		// A stem is about a tenth of the size in a regular weight (400) and grows with it. Only substitutes of a missing font need it.
		m.stem = float64(face.OS2.UsWeightClass) / 5
		if face.OS2.SCapHeight > 0 {
			m.cap = float64(face.OS2.SCapHeight) * scale
		}
	}
	m.advances = make([]uint16, m.glyphs)
	for id := range m.advances {
		m.advances[id] = face.Hmtx.Advance(uint16(id))
	}
	return m, nil
}
