//go:build scoring

package regions_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/raster"
)

// TestScoring reads the pages that match the pattern PLAIT_SCORE_PAGES and writes its results to the file
// PLAIT_SCORE_OUT: {"predictions": one line of a region each {page, quad, text, score}, "lines": all lines before they
// became regions, "pages": [{page, from_lang, regions}]}.
//
//	go test -tags scoring -run TestScoring -v ./internal/comic/regions
func TestScoring(t *testing.T) {
	type prediction struct {
		Page  string      `json:"page"`
		Quad  raster.Quad `json:"quad"`
		Text  string      `json:"text"`
		Score float64     `json:"score"`
	}
	type page struct {
		Page     string         `json:"page"`
		FromLang string         `json:"from_lang"`
		Regions  []comic.Region `json:"regions"`
	}
	var result struct {
		Predictions []prediction `json:"predictions"`
		Lines       []prediction `json:"lines"`
		Pages       []page       `json:"pages"`
	}
	files, err := filepath.Glob(os.Getenv("PLAIT_SCORE_PAGES"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	r := newReader(t, runtime.NumCPU())
	var reading, grouping time.Duration
	for _, f := range files {
		img, name := decodePage(t, f), filepath.Base(f)
		start := time.Now()
		lines, language := r.read(t.Context(), t, img)
		read := time.Now()
		found := group(t, img, lines, language)
		reading, grouping = reading+read.Sub(start), grouping+time.Since(read)
		for _, r := range found {
			for i, q := range r.Lines {
				result.Predictions = append(result.Predictions, prediction{name, q, r.Texts[i], r.Prob})
			}
		}
		for _, l := range lines {
			result.Lines = append(result.Lines, prediction{name, l.Quad, l.Text, l.Prob})
		}
		result.Pages = append(result.Pages, page{name, language, found})
	}
	n := time.Duration(len(files))
	t.Logf("%d pages; a page: reading %v, grouping %v", n, reading/n, grouping/n)
	b, err := json.Marshal(result)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(os.Getenv("PLAIT_SCORE_OUT"), b, 0o600))
}
