package engine_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/document/engine"
	"plait/internal/document/pdftest"
)

// album is a page with all that a page may have: fonts of two kinds, a form, a picture, links, rules, bookmarks, tags and a field.
func album() []byte {
	b := pdftest.New()
	letters := "A composite font shows this line of text."
	fonts := map[string]pdftest.Ref{"F": b.Helvetica(), "G": b.Type0(&letters)}
	form := b.Form("0 0 300 50", "BT /F 9 Tf 5 5 Td (A form shows this line.) Tj ET", fonts, nil, "/Matrix [1 0 0 1 72 500]")
	field := b.Add("<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /DA (/F 9 Tf) /Rect [10 10 60 30] >>")
	page := b.Page(pdftest.Page{
		Fonts: fonts, XObjects: map[string]pdftest.Ref{"X": form, "I": b.Image(90)}, Crop: "5 5 590 830", Rotate: 90, Entries: "/StructParents 0",
		Annotations: []pdftest.Ref{b.Link("70 690 300 712", "https://example.org"), field},
		Content: "/P << /MCID 0 /ActualText (text) >> BDC BT /F 12 Tf 2 Tc 72 700 Td [(A line of) -300 (a page.)] TJ 0 -14 Td (It has a second line.) ' ET EMC\n" +
			"q 1 0 0 1 9 9 cm BT /G 11 Tf 72 600 Td " + pdftest.Hex(letters) + " Tj ET Q /X Do q 40 0 0 40 400 700 cm /I Do Q 1 0 0 rg 72 590 200 1 re f 72 400 m 300 400 l S",
	})
	b.Outline("A line of a page.", page)
	b.Tag(page, 1)
	b.Catalog("/AcroForm << /Fields [" + field.String() + "] >> /PageLabels << /Nums [0 << /S /r /St 4 >>] >> /OpenAction [" + page.String() + " /Fit]")
	return b.Bytes()
}

// maxMutated bounds the files that are changed: the larger ones of hostile take seconds each.
const maxMutated = 64 << 10

// changeable are the files that are changed.
var changeable = sync.OnceValue(func() [][]byte {
	files := [][]byte{album(), article()}
	all := hostile()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if file := all[name].file; len(file) > 0 && len(file) < maxMutated {
			files = append(files, file)
		}
	}
	return files
})

// The parts of a file that are replaced by others of their kind.
var (
	numberOf    = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`)
	referenceOf = regexp.MustCompile(`[0-9]+ 0 R`)
	nameOf      = regexp.MustCompile(`/[A-Za-z0-9]+`)
	operatorOf  = regexp.MustCompile(`\b(BT|ET|q|Q|cm|Td|Tj|TJ|Tm|Tf|BDC|EMC|Do|re|f|S|m|l|obj|endobj|stream|endstream|xref|trailer)\b`)
)

var numbers = []string{"0", "-1", "1", "65536", "2147483647", "-2147483648", "4294967296", "99999999999999999999", "0.0000000001", "1e9", "."}

// mutated is a file with some changes. The same seed makes the same changes.
func mutated(file []byte, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, seed))
	file = slices.Clone(file)
	for range 1 + r.IntN(6) {
		from := r.IntN(len(file))
		to := min(from+1+r.IntN(100), len(file))
		switch r.IntN(8) {
		case 0:
			file[from] = byte(r.IntN(256))
		case 1:
			file = slices.Delete(file, from, to)
		case 2:
			file = slices.Insert(file, from, slices.Clone(file[from:to])...)
		case 3, 4:
			file = replaced(r, file, numberOf, []byte(numbers[r.IntN(len(numbers))]))
		default:
			kind := []*regexp.Regexp{referenceOf, nameOf, operatorOf}[r.IntN(3)]
			if all := kind.FindAll(file, -1); len(all) > 0 {
				file = replaced(r, file, kind, slices.Clone(all[r.IntN(len(all))]))
			}
		}
		if len(file) == 0 {
			return []byte("%PDF-")
		}
	}
	return file
}

// replaced replaces one of the parts of a kind.
func replaced(r *rand.Rand, file []byte, kind *regexp.Regexp, by []byte) []byte {
	all := kind.FindAllIndex(file, -1)
	if len(all) == 0 {
		return file
	}
	at := all[r.IntN(len(all))]
	return slices.Replace(file, at[0], at[1], by...)
}

// A damaged file is refused, or its first page is translated and the written file can be read.
func FuzzDamagedFiles(f *testing.F) {
	for which := range changeable() {
		f.Add(uint(which), uint64(which))
	}
	e, err := engine.Open(config(f))
	require.NoError(f, err)
	f.Cleanup(func() { require.NoError(f, e.Close()) })
	f.Fuzz(func(t *testing.T, which uint, seed uint64) {
		files := changeable()
		file := mutated(files[which%uint(len(files))], seed)
		name := fmt.Sprintf("file %d, seed %d", which, seed)
		var out bytes.Buffer
		if _, err := throughEngine(t, e, file, &out); err != nil {
			require.Contains(t, []core.Code{core.CodeInvalidDocument, core.CodeTooLarge, core.CodePassword}, core.CodeOf(err), "%s: %v", name, err)
			return
		}
		written, err := e.File(t.Context(), bytes.NewReader(out.Bytes()), int64(out.Len()))
		require.NoError(t, err, name)
		require.NoError(t, written.Close())
	})
}
