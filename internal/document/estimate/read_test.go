package estimate_test

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/document/estimate"
	"plait/internal/document/pdf"
	"plait/internal/document/pdftest"
)

// texts of a file with a page of text, two scans, of which one has the invisible text of a scanner, and an empty page.
func TestScansHaveAssumedTexts(t *testing.T) {
	t.Parallel()
	reader := pdf.New(pdf.Config{CacheDir: filepath.Join(os.TempDir(), fmt.Sprintf("plait-pdfium-%d", os.Getuid())), Instances: 1})
	t.Cleanup(func() { require.NoError(t, reader.Close()) })
	b := pdftest.New()
	fonts := map[string]pdftest.Ref{"F": b.Helvetica()}
	scan := map[string]pdftest.Ref{"I": b.Picture(image.NewRGBA(image.Rect(0, 0, 10, 10)))}
	b.Page(pdftest.Page{Fonts: fonts, Content: "BT /F 11 Tf 72 700 Td (The lamp burns.) Tj ET"})
	b.Page(pdftest.Page{XObjects: scan, Content: "595 0 0 842 0 0 cm /I Do"})
	b.Page(pdftest.Page{Fonts: fonts, XObjects: scan, Content: "q 595 0 0 842 0 0 cm /I Do Q BT 3 Tr /F 11 Tf 72 700 Td (Twenty five letters here.) Tj ET"})
	b.Page(pdftest.Page{})
	file := b.Bytes()
	f, err := reader.Open(t.Context(), bytes.NewReader(file), int64(len(file)), pdf.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	assumed := estimate.Texts{Paragraphs: 4, ParagraphTokens: 40}
	pages, err := estimate.Read(t.Context(), f, []int{0, 1, 2, 3}, assumed, func(text string) int { return len(text) })
	require.NoError(t, err)
	require.Equal(t, []estimate.Page{
		{Number: 1, Texts: estimate.Texts{Paragraphs: 1, ParagraphTokens: 15}},
		{Number: 2, Scanned: true, Texts: assumed},
		{Number: 3, Scanned: true, Texts: estimate.Texts{Paragraphs: 3, ParagraphTokens: 25}},
		{Number: 4},
	}, pages)
	require.Equal(t, 2, rates(t).Of(pages, estimate.Model{}).ScannedPages)
}
