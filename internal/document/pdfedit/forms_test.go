package pdfedit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document"
	"plait/internal/document/pdfedit"
	"plait/internal/document/pdftest"
)

// shared makes two pages that draw the same form twice and once; the form draws another one.
func shared() []byte {
	b := pdftest.New()
	fonts := map[string]pdftest.Ref{"F": b.Helvetica()}
	inner := b.Form("0 0 200 50", "BT /F 8 Tf 5 5 Td (inner) Tj ET", fonts, nil, "")
	outer := b.Form("0 0 200 100", "0 .5 0 rg BT /F 10 Tf 5 60 Td (outer) Tj ET /In Do", fonts, map[string]pdftest.Ref{"In": inner}, "")
	xobjects := map[string]pdftest.Ref{"X": outer}
	b.Page(pdftest.Page{
		Content:  "q 1 0 0 1 100 600 cm /X Do Q q 2 0 0 2 100 300 cm /X Do Q BT /F 10 Tf 100 200 Td (page) Tj ET",
		XObjects: xobjects, Fonts: fonts,
	})
	b.Page(pdftest.Page{Content: "/X Do", XObjects: xobjects, Fonts: fonts})
	return b.Bytes()
}

func TestAFormChangesOnlyWhereItIsDrawn(t *testing.T) {
	file := shared()
	before := page(t, file, 0)
	require.Equal(t, "outerinnerouterinnerpage", texts(before))
	edited := write(t, file, pdfedit.Options{}, func(p document.Page) *document.Edit {
		if p.Index == 1 {
			return nil
		}
		second := p.Glyphs[15:20] // "inner" the second time
		return &document.Edit{
			Remove: []int{15, 16, 17, 18, 19}, Texts: []document.Text{line(t, "new", second[0].Op, second[0].Origin.X, second[0].Origin.Y, 16)},
		}
	})
	after := page(t, edited, 0)
	require.Equal(t, "outerinnerouternewpage", texts(after))
	same(t, before.Glyphs[:15], after.Glyphs[:15])
	same(t, before.Glyphs[20:], after.Glyphs[18:])
	require.InDelta(t, before.Glyphs[15].Origin.X, after.Glyphs[15].Origin.X, .001)
	require.InDelta(t, 16, after.Glyphs[15].Size, .001)
	same(t, page(t, file, 1).Glyphs, page(t, edited, 1).Glyphs)
	require.Equal(t, "q 1 0 0 1 100 600 cm /X Do Q q 2 0 0 2 100 300 cm /Form Do Q BT /F 10 Tf 100 200 Td (page) Tj ET", program(t, edited, 0))
}

func TestFormsKeepWhatTheyInherit(t *testing.T) {
	b := pdftest.New()
	fonts := map[string]pdftest.Ref{"F": b.Helvetica()}
	// A form without resources uses those of the page, and it is drawn in the color of the page, whose name it does not know.
	form := b.Stream("/Type /XObject /Subtype /Form /BBox [0 0 200 50]", "BT /F 8 Tf 5 5 Td (ab) Tj (cd) Tj ET")
	b.Page(pdftest.Page{
		Content: "/Spot cs 1 scn /X Do", Fonts: fonts, XObjects: map[string]pdftest.Ref{"X": form},
		Resources: "/ColorSpace << /Spot [/Separation /Red /DeviceRGB << /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [1 0 0] /N 1 >>] >>",
	})
	edited := write(t, b.Bytes(), pdfedit.Options{}, func(p document.Page) *document.Edit {
		return &document.Edit{Remove: []int{0, 1}, Texts: []document.Text{line(t, "xy", 0, 5, 5, 8)}}
	})
	require.Equal(t, "xycd", texts(page(t, edited, 0)))
	f := objects(t, edited)
	content, _ := formProgram(t, f, f.Pages[0].Dict["Resources"], "Form")
	require.NotContains(t, content, "Spot")
}

func TestTextBeyondAFormIsDrawnOnThePage(t *testing.T) {
	file := shared()
	edited := write(t, file, pdfedit.Options{}, func(p document.Page) *document.Edit {
		return &document.Edit{Remove: []int{0, 1, 2, 3, 4}, Texts: []document.Text{line(t, "far", p.Glyphs[0].Op, 400, 100, 9)}}
	})
	require.Equal(t, "innerouterinnerpagefar", texts(page(t, edited, 0)))
}
