// Command documents measures how well Plait keeps the pages of PDF files while it replaces their texts. It takes each page through the
// document engine with stand-ins for translations (see llmtest.StandIn), writes the file, reads it again, and compares. It prints a table,
// and separately the files of -report, on which nothing may be tuned.
//
//	go run ./bench/documents -documents ../shared/documents -report "la-precinct-bulletin-2014-p1" -out build/documents
//
// The stand-ins: as long as the source, 0.6 and 1.4 times as long, Chinese, Arabic, and the source itself (same). The columns:
//
//   - texts: number of texts that were to be translated
//   - unset: number of those that stay as they were, because they do not fit or no font has their characters
//   - small: number of texts below 6 points or what is left of the size of smaller sources
//   - touch: number of pairs of glyphs on a page of which one covers 30 % of the other, in addition to those of the source
//   - cut: number of glyphs beyond the crop box, in addition to those of the source
//   - formulas, lost: number of formulas in translated texts, and of those with a glyph that is not at its place
//   - links: number of link annotations that are gone
//   - loose: number of fonts of the new texts that are not embedded
//   - text: share of the words of the stand-ins, by characters, that the text of the page has
//   - order: share of them that it has in reading order
//   - SSIM: least structural similarity of a page to the source at 100 dpi; only for same
//   - kB: size of the result less that of the source
//   - layout, set, write: seconds for each page, on one thread
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plait/internal/assets"
	"plait/internal/document/engine"
	"plait/internal/onnx"
)

// options are the values of the flags.
type options struct {
	documents, assets, out string
	report, only, variants []string
	pages                  int
}

func main() {
	var o options
	var report, only, variants string
	flag.StringVar(&o.documents, "documents", "", "folder with PDF files")
	flag.StringVar(&o.assets, "assets", "build/assets", "asset folder")
	flag.StringVar(&report, "report", "", "files for the report, without .pdf, separated by spaces")
	flag.StringVar(&only, "only", "", "files to take, without .pdf, separated by spaces; empty: all")
	flag.StringVar(&variants, "variants", "", "stand-ins to take, separated by spaces; empty: all")
	flag.StringVar(&o.out, "out", "", "folder for the results and for pictures of their pages; empty: none are kept")
	flag.IntVar(&o.pages, "pages", 0, "largest number of pages of a file; 0: all")
	flag.Parse()
	o.report, o.only, o.variants = strings.Fields(report), strings.Fields(only), strings.Fields(variants)
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "documents: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	set, err := assets.Open(o.assets)
	if err != nil {
		return err
	}
	// One file is the source, and one the result.
	e, err := engine.Open(engine.Config{
		Assets: set, CacheDir: filepath.Join(os.TempDir(), fmt.Sprintf("plait-pdfium-%d", os.Getuid())), Workers: 2, Threads: 1,
		Device: onnx.CPU, Confidence: 0.4,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	files, err := filepath.Glob(filepath.Join(o.documents, "*.pdf"))
	if err != nil {
		return err
	}
	var list []result
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".pdf")
		if len(o.only) > 0 && !slices.Contains(o.only, name) {
			continue
		}
		d := &measured{engine: e, options: o, name: name, path: path}
		results, err := d.measure(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, results...)
	}
	return o.print(ctx, list)
}
