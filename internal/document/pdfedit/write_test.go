package pdfedit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/pdf"
	"plait/internal/document/pdfedit"
	"plait/internal/document/pdftest"
)

// book makes a file with everything that a translation keeps: two pages, one of them rotated, with an outline, links, labels, tags and a
// field.
func book() []byte {
	b := pdftest.New()
	text := "first page link second"
	fonts := map[string]pdftest.Ref{"F": b.Helvetica(), "G": b.Type0(&text)}
	second := b.Reserve()
	field := b.Add("<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /DA (/Helv 9 Tf) /Rect [10 10 60 30] >>")
	first := b.Page(pdftest.Page{
		Content: "/P << /MCID 0 /ActualText (first page) >> BDC BT /G 12 Tf 72 700 Td " + pdftest.Hex("first page") + " Tj ET EMC\n" +
			"/P << /MCID 1 >> BDC BT /F 12 Tf 72 650 Td (link) Tj ET EMC 0 0 1 rg 72 600 100 20 re f",
		Fonts: fonts, Entries: "/StructParents 0",
		Annotations: []pdftest.Ref{b.Link("70 690 200 712", "https://example.org"), b.LinkTo("70 640 100 662", second), field},
	})
	b.SetPage(second, pdftest.Page{
		Content: "q BT /F 12 Tf 0 1 -1 0 300 100 Tm (second) Tj ET 0 .6 0 rg 20 20 40 10 re f", Fonts: fonts, Rotate: 90, Crop: "10 10 500 700",
	})
	b.Outline("One", first)
	b.Outline("Two", second)
	b.Tag(first, 2)
	b.Catalog("/AcroForm << /Fields [" + field.String() + "] >> /PageLabels << /Nums [0 << /S /r /St 4 >>] >> /OpenAction [" + second.String() + " /Fit]")
	return b.Bytes()
}

// firstPage are the glyphs of the first text.
var firstPage = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

// translate replaces the first text of a page.
func translate(t *testing.T, link int) func(document.Page) *document.Edit {
	t.Helper()
	return func(p document.Page) *document.Edit {
		if p.Index > 0 {
			return &document.Edit{Index: p.Index}
		}
		text := line(t, "translated", p.Glyphs[0].Op, 72, 500, 12)
		text.Runs[0].Link = link
		return &document.Edit{Remove: firstPage, Texts: []document.Text{text}}
	}
}

func TestAPageWithoutEditLooksTheSame(t *testing.T) {
	for name, file := range map[string][]byte{"book": book(), "forms": shared(), "states": sheet(sheets["states"])} {
		for _, edit := range []func(document.Page) *document.Edit{leave, func(document.Page) *document.Edit { return &document.Edit{} }} {
			written := write(t, file, pdfedit.Options{}, edit)
			require.Equal(t, picture(t, file, 0).Pix, picture(t, written, 0).Pix, name)
			require.Equal(t, program(t, file, 0), program(t, written, 0), name)
		}
	}
}

func TestResultsAreValidAndTheSameEveryTime(t *testing.T) {
	for _, output := range []pdfedit.Output{pdfedit.Mono, pdfedit.Alternating, pdfedit.SideBySide} {
		options := pdfedit.Options{Output: output, Language: "de"}
		written := write(t, book(), options, translate(t, 1))
		require.Equal(t, written, write(t, book(), options, translate(t, 1)), output)
		require.NoError(t, api.Validate(bytes.NewReader(written), model.NewDefaultConfiguration()), output)
	}
}

func TestTheTranslationReplacesTextLinksTagsAndLanguage(t *testing.T) {
	written := write(t, book(), pdfedit.Options{Language: "de"}, translate(t, 1))
	p := page(t, written, 0)
	require.Equal(t, "translatedlink", texts(p))
	// The first link follows its text, from the bottom to the top of the line; the second has no new text.
	require.InDelta(t, 72, p.Links[0].X0, .01)
	require.InDelta(t, 500-12*.212, p.Links[0].Y0, .1)
	require.InDelta(t, 500+12*.944, p.Links[0].Y1, .1)
	require.Equal(t, document.Box{X0: 70, Y0: 640, X1: 100, Y1: 662}, p.Links[1])
	require.True(t, strings.HasPrefix(program(t, written, 0), "/P <</MCID 0>> BDC BT"), program(t, written, 0))
	f := objects(t, written)
	require.Equal(t, types.StringLiteral("de"), f.Catalog["Lang"])
	paragraphs := f.Array(f.Dict(f.Array(f.Dict(f.Catalog["StructTreeRoot"])["K"])[0])["K"])
	require.Equal(t, types.StringLiteral("de"), f.Dict(paragraphs[0])["Lang"])
	require.Len(t, f.Array(f.Dict(f.Catalog["AcroForm"])["Fields"]), 1)
	require.NotNil(t, f.Catalog["Outlines"])
}

func TestLinksOverLinesHaveAQuadrilateralForEach(t *testing.T) {
	written := write(t, book(), pdfedit.Options{}, func(p document.Page) *document.Edit {
		if p.Index > 0 {
			return nil
		}
		text := line(t, "one", p.Glyphs[0].Op, 200, 500, 10)
		next := line(t, "two", 0, 72, 480, 10)
		text.Runs = append(text.Runs, next.Runs...)
		text.Runs[0].Link, text.Runs[1].Link = 1, 1
		return &document.Edit{Remove: firstPage, Texts: []document.Text{text}}
	})
	f := objects(t, written)
	link := f.Dict(f.Array(f.Pages[0].Dict["Annots"])[0])
	require.Len(t, f.Array(link["QuadPoints"]), 16)
	box, ok := f.Box(link["Rect"])
	require.True(t, ok)
	require.InDelta(t, 72, box.X0, .01)
	require.Greater(t, box.X1, 210.0)
}

func TestStructureElementsLoseTheTextThatStoodForTheOld(t *testing.T) {
	b := pdftest.New()
	first := b.Page(pdftest.Page{
		Content: "/P << /MCID 0 >> BDC BT /F 9 Tf 72 700 Td (ab) Tj ET EMC /P /Pr BDC BT /F 9 Tf 72 600 Td (cd) Tj ET EMC",
		Fonts:   map[string]pdftest.Ref{"F": b.Helvetica()}, Entries: "/StructParents 3",
		Resources: "/Properties << /Pr << /MCID 1 /Alt (other) /Lang (fr) >> >>",
	})
	root, other := b.Reserve(), b.Reserve()
	paragraph := b.Add(fmt.Sprintf("<< /Type /StructElem /S /P /P %s /Pg %s /K 0 /ActualText (ab) >>", root, first))
	b.Set(other, fmt.Sprintf("<< /Type /StructElem /S /P /P %s /Pg %s /K 1 /ActualText (cd) >>", root, first))
	b.Set(root, fmt.Sprintf("<< /Type /StructTreeRoot /K [%s %s] /ParentTree << /Kids [<< /Limits [3 3] /Nums [3 [%s %s]] >>] >> >>",
		paragraph, other, paragraph, other))
	b.Catalog("/StructTreeRoot " + root.String())
	for remove, want := range map[string][]bool{"a": {false, true}, "d": {true, false}} {
		written := write(t, b.Bytes(), pdfedit.Options{}, func(p document.Page) *document.Edit {
			return &document.Edit{Remove: find(t, p, remove)}
		})
		f := objects(t, written)
		var kept []bool
		for _, element := range f.Array(f.Dict(f.Catalog["StructTreeRoot"])["K"]) {
			kept = append(kept, f.Dict(element)["ActualText"] != nil)
		}
		require.Equal(t, want, kept)
		require.Equal(t, remove == "d", strings.Contains(program(t, written, 0), "/P <</Lang (fr)/MCID 1>> BDC"), program(t, written, 0))
	}
}

func TestRightToLeftLanguagesTurnTheBook(t *testing.T) {
	for language, want := range map[string]types.Object{"ar": types.Name("R2L"), "he-IL": types.Name("R2L"), "fr": nil, "x": nil} {
		f := objects(t, write(t, book(), pdfedit.Options{Language: language}, leave))
		require.Equal(t, want, f.Dict(f.Catalog["ViewerPreferences"])["Direction"], language)
	}
}

// destinations returns the numbers of the pages that the outline leads to.
func destinations(t *testing.T, file []byte) (numbers []int) {
	t.Helper()
	f := objects(t, file)
	for item := f.Dict(f.Dict(f.Catalog["Outlines"])["First"]); item != nil; item = f.Dict(item["Next"]) {
		target, ok := f.Array(item["Dest"])[0].(types.IndirectRef)
		require.True(t, ok)
		for i, p := range f.Pages {
			if p.Number == target.ObjectNumber.Value() {
				numbers = append(numbers, i)
			}
		}
	}
	return numbers
}

func TestAlternatingFilesShowEachTranslationAfterItsOriginal(t *testing.T) {
	written := write(t, book(), pdfedit.Options{Output: pdfedit.Alternating, Language: "de"}, translate(t, 1))
	var all []string
	f := objects(t, written)
	for i := range f.Pages {
		all = append(all, texts(page(t, written, i)))
	}
	require.Equal(t, []string{"first pagelink", "translatedlink", "second", "second"}, all)
	require.Equal(t, []int{0, 2}, destinations(t, written))
	require.Equal(t, picture(t, book(), 1).Pix, picture(t, written, 2).Pix)
	require.Equal(t, picture(t, book(), 1).Pix, picture(t, written, 3).Pix)
	// Links of a translation lead to translations. Its link follows the text; that of the original stays.
	link := f.Dict(f.Array(f.Pages[1].Dict["Annots"])[1])
	require.Equal(t, f.Pages[3].Number, f.Array(link["Dest"])[0].(types.IndirectRef).ObjectNumber.Value())
	require.InDelta(t, 690, page(t, written, 0).Links[0].Y0, .01)
	require.Less(t, page(t, written, 1).Links[0].Y0, 500.0)
	require.Len(t, f.Array(f.Pages[0].Dict["Annots"]), 3)
	require.Len(t, f.Array(f.Pages[1].Dict["Annots"]), 2, "fields exist once")
	var labels []string
	for _, entry := range f.Array(f.Dict(f.Catalog["PageLabels"])["Nums"]) {
		if dict := f.Dict(entry); dict != nil {
			start, _ := f.Number(dict["St"])
			labels = append(labels, fmt.Sprintf("%s %g", f.Name(dict["S"]), start))
		}
	}
	require.Equal(t, []string{"r 4", "r 4", "r 5", "r 5"}, labels)
}

// crop returns a part of a picture.
func crop(p *image.RGBA, r image.Rectangle) []byte {
	var pixels []byte
	for y := r.Min.Y; y < r.Max.Y; y++ {
		pixels = append(pixels, p.Pix[p.PixOffset(r.Min.X, y):p.PixOffset(r.Max.X, y)]...)
	}
	return pixels
}

func TestSideBySideFilesShowTheOriginalOnTheLeft(t *testing.T) {
	written := write(t, book(), pdfedit.Options{Output: pdfedit.SideBySide}, translate(t, 1))
	for i := range 2 {
		before, after := picture(t, book(), i), picture(t, written, i)
		size := before.Rect.Size()
		require.Equal(t, image.Pt(2*size.X, size.Y), after.Rect.Size())
		require.Equal(t, before.Pix, crop(after, before.Rect), "the original of page %d", i)
		if i == 1 { // its translation changes nothing
			require.Equal(t, before.Pix, crop(after, before.Rect.Add(image.Pt(size.X, 0))))
		}
	}
	p := page(t, written, 0)
	require.Equal(t, "first pagelinktranslatedlink", texts(p))
	require.Equal(t, []int{0, 1}, destinations(t, written))
	require.Len(t, p.Links, 4)
	require.InDelta(t, 595+72, p.Links[2].X0, .01)
	require.InDelta(t, 595+70, p.Links[3].X0, .01)
}

func TestAFileKeepsThePagesThatAreAskedFor(t *testing.T) {
	written := write(t, book(), pdfedit.Options{Pages: []int{1}}, leave)
	f := objects(t, written)
	require.Len(t, f.Pages, 1)
	require.Equal(t, "second", texts(page(t, written, 0)))
	require.Equal(t, []int{0}, destinations(t, written), "the other leads nowhere")
	require.NotContains(t, string(written), "first")
}

func TestWhatRunsProgramsGoes(t *testing.T) {
	b := pdftest.New()
	link := b.Add("<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /JavaScript /JS (app.alert) >> >>")
	chain := b.Add("<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.org) /Next [<< /S /Launch /F (x) >>] >> >>")
	signature := b.Add("<< /Type /Annot /Subtype /Widget /FT /Sig /T (s) /V << /Type /Sig >> /Rect [0 0 9 9] /AP << >> >>")
	first := b.Page(pdftest.Page{Annotations: []pdftest.Ref{link, chain, signature}, Entries: "/AA << /O << /S /JavaScript /JS (x) >> /C << /S /Named /N /NextPage >> >>"})
	b.Catalog("/OpenAction << /S /JavaScript /JS (x) >> /Names << /JavaScript << /Names [] >> /Dests << /Names [(a) [" + first.String() + " /Fit]] >> >>" +
		" /AcroForm << /Fields [" + signature.String() + "] /SigFlags 3 /XFA (x) >> /Perms << /DocMDP << /Type /Sig >> >>")
	for _, keep := range []bool{false, true} {
		f := objects(t, write(t, b.Bytes(), pdfedit.Options{KeepScripts: keep}, leave))
		annotations := f.Array(f.Pages[0].Dict["Annots"])
		form := f.Dict(f.Catalog["AcroForm"])
		for name, present := range map[string]bool{
			"the script of a link":   f.Dict(annotations[0])["A"] != nil,
			"a chained launch":       f.Dict(f.Dict(annotations[1])["A"])["Next"] != nil,
			"the script of opening":  f.Catalog["OpenAction"] != nil,
			"scripts by name":        f.Dict(f.Catalog["Names"])["JavaScript"] != nil,
			"XFA":                    form["XFA"] != nil,
			"the script of the page": f.Dict(f.Pages[0].Dict["AA"])["O"] != nil,
		} {
			require.Equal(t, keep, present, name)
		}
		for name, present := range map[string]bool{
			"the address of a link": f.Dict(annotations[1])["A"] != nil, "the appearance of a signature": f.Dict(annotations[2])["AP"] != nil,
			"names of destinations": f.Dict(f.Catalog["Names"])["Dests"] != nil, "an action that turns pages": f.Dict(f.Pages[0].Dict["AA"])["C"] != nil,
		} {
			require.True(t, present, name)
		}
		for name, present := range map[string]bool{
			"the value of a signature": f.Dict(annotations[2])["V"] != nil, "certification": f.Catalog["Perms"] != nil, "flags": form["SigFlags"] != nil,
		} {
			require.False(t, present, name)
		}
	}
}

func TestDestinationsStayWhenTheFileOpensWithOne(t *testing.T) {
	f := objects(t, write(t, book(), pdfedit.Options{}, leave))
	require.NotNil(t, f.Catalog["OpenAction"])
}

func TestTitlesOfTheOutlineAreTranslated(t *testing.T) {
	f := objects(t, write(t, book(), pdfedit.Options{Titles: func(title string) string { return title + "é中" }}, leave))
	first := f.Dict(f.Dict(f.Catalog["Outlines"])["First"])
	title, err := model.Text(f.Resolve(first["Title"]))
	require.NoError(t, err)
	require.Equal(t, "Oneé中", title)
}

func TestEncryptedFilesBecomeOpen(t *testing.T) {
	encrypted, err := pdftest.Encrypt(book(), "user", "owner")
	require.NoError(t, err)
	for _, password := range []string{"user", "owner"} {
		written := write(t, encrypted, pdfedit.Options{Password: password}, translate(t, 1))
		require.Equal(t, "translatedlink", texts(page(t, written, 0)))
	}
}

func TestFilesAndEditsThatFail(t *testing.T) {
	encrypted, err := pdftest.Encrypt(book(), "user", "owner")
	require.NoError(t, err)
	failing := core.NewError(core.CodeBlobMissing, "gone")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		file []byte
		edit error
		want core.Code
	}{
		"no PDF":             {t.Context(), []byte("text"), nil, core.CodeInvalidDocument},
		"empty":              {t.Context(), nil, nil, core.CodeInvalidDocument},
		"cut":                {t.Context(), book()[:300], nil, core.CodeInvalidDocument},
		"wrong password":     {t.Context(), encrypted, nil, core.CodePassword},
		"no pages":           {t.Context(), pdftest.New().Bytes(), nil, core.CodeInvalidDocument},
		"an edit that fails": {t.Context(), book(), failing, core.CodeBlobMissing},
		"canceled":           {canceled, book(), nil, core.CodeCanceled},
	} {
		err := pdfedit.Write(c.ctx, bytes.NewReader(c.file), func(context.Context, int) (document.Page, *document.Edit, error) {
			return document.Page{}, nil, c.edit
		}, pdfedit.Options{Output: pdfedit.Mono, Faces: faces}, &bytes.Buffer{})
		require.Equal(t, c.want, core.CodeOf(err), "%s: %v", name, err)
	}
}

func TestAFaceThatIsMissingFails(t *testing.T) {
	missing := errors.New("missing")
	opened(t, book(), "", func(f *pdf.File) {
		err := pdfedit.Write(t.Context(), bytes.NewReader(book()), func(ctx context.Context, index int) (document.Page, *document.Edit, error) {
			p, err := f.Content(ctx, index)
			return p, translate(t, 1)(p), err
		}, pdfedit.Options{Output: pdfedit.Mono, Faces: func(string) ([]byte, error) { return nil, missing }}, &bytes.Buffer{})
		require.ErrorIs(t, err, missing)
	})
}
