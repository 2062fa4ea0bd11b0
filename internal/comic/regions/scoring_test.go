//go:build scoring

package regions_test

import (
	"context"
	"encoding/json"
	"image"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/comic/order"
	"plait/internal/comic/regions"
	"plait/internal/onnx"
	"plait/internal/pipeline"
)

func envInt(name string, or int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return or
}

func TestScore(t *testing.T) {
	assets := os.Getenv("PLAIT_ASSETS")
	rt, err := onnx.Open(onnx.Config{LibraryPath: assets + "/onnxruntime/libonnxruntime.so.1", Device: onnx.CPU, Threads: envInt("THREADS", 1)})
	require.NoError(t, err)
	start := time.Now()
	dp, err := rt.Load(detect.Model("det", assets+"/models/PP-OCRv6_det_small.onnx", "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f"), envInt("PLACES", 2))
	require.NoError(t, err)
	rp, err := rt.Load(ocr.Model("rec", assets+"/models/PP-OCRv6_rec_small.onnx", "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884"), envInt("PLACES", 2))
	require.NoError(t, err)
	t.Log("load", time.Since(start))
	dparams := detect.DefaultParams()
	dparams.PageWidth = envInt("PAGEWIDTH", dparams.PageWidth)
	dparams.MaxPageWidth = max(dparams.MaxPageWidth, dparams.PageWidth)
	dparams.Threshold = float64(envInt("THRESH", 30)) / 100
	dparams.MinScore = float64(envInt("MINSCORE", 55)) / 100
	dparams.Unclip = float64(envInt("UNCLIP", 160)) / 100
	d := detect.New(dp, dparams)
	r, err := ocr.New(rp, ocr.DefaultParams())
	require.NoError(t, err)
	type pred struct {
		Page  string        `json:"page"`
		Quad  pipeline.Quad `json:"quad"`
		Text  string        `json:"text"`
		Score float64       `json:"score"`
	}
	var preds []pred
	type page struct {
		Page     string            `json:"page"`
		Language string            `json:"from_lang"`
		Panels   []image.Rectangle `json:"panels"`
		Regions  []pipeline.Region `json:"regions"`
	}
	var grouped []page
	var tg time.Duration
	files, _ := filepath.Glob(os.Getenv("PAGES"))
	var td, tr time.Duration
	pages := 0
	for _, f := range files {
		if len(filepath.Base(f)) > 6 {
			continue
		}
		pages++
		img := decode(t, f)
		t0 := time.Now()
		lines, err := d.Lines(context.Background(), img)
		require.NoError(t, err)
		t1 := time.Now()
		quads := make([]pipeline.Quad, len(lines))
		for i, l := range lines {
			quads[i] = l.Quad
		}
		readings, err := r.Read(context.Background(), img, quads)
		require.NoError(t, err)
		td += t1.Sub(t0)
		tr += time.Since(t1)
		t2 := time.Now()
		found := make([]regions.Line, len(readings))
		texts := make([]string, len(readings))
		for i, rd := range readings {
			found[i] = regions.Line{Quad: quads[i], Text: rd.Text, Prob: rd.Prob, Vertical: rd.Vertical}
			texts[i] = rd.Text
		}
		language := regions.Language(texts)
		grouped = append(grouped, page{filepath.Base(f), language, order.Panels(img, order.RightToLeft(language)), regions.Group(img, found, language)})
		tg += time.Since(t2)
		for i, rd := range readings {
			preds = append(preds, pred{filepath.Base(f), quads[i], rd.Text, rd.Prob})
		}
	}
	t.Logf("pages %d detect %.3f recognize %.3f group %.3f s a page", pages, td.Seconds()/float64(pages), tr.Seconds()/float64(pages), tg.Seconds()/float64(pages))
	b, _ := json.Marshal(grouped)
	require.NoError(t, os.WriteFile(os.Getenv("PRED")+".regions", b, 0o600))
	b, _ = json.Marshal(preds)
	require.NoError(t, os.WriteFile(os.Getenv("PRED"), b, 0o600))
}

func decode(t *testing.T, path string) *image.NRGBA {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	src, _, err := image.Decode(f)
	require.NoError(t, err)
	img := image.NewNRGBA(image.Rect(0, 0, src.Bounds().Dx(), src.Bounds().Dy()))
	draw.Draw(img, img.Rect, src, src.Bounds().Min, draw.Src)
	return img
}
