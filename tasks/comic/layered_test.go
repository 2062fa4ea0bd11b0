package comictasks_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/layers"
	"plait/internal/core"
	"plait/internal/picture"
	"plait/internal/records"
	"plait/tasks"
	comictasks "plait/tasks/comic"
)

// files reads an archive: its names in their order, and its contents.
func files(t *testing.T, archive []byte) (names []string, contents map[string][]byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	contents = map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		contents[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
		names = append(names, f.Name)
	}
	return names, contents
}

func (f fixture) resultAs(id, format string) []byte {
	f.t.Helper()
	var b bytes.Buffer
	require.NoError(f.t, f.WriteResultAs(f.t.Context(), &b, tenant, id, format))
	return b.Bytes()
}

// painted is a copy of a picture with other pixels.
func painted(img image.Image, c color.Color, at ...image.Point) *image.NRGBA {
	own := image.NewNRGBA(img.Bounds())
	for y := range own.Rect.Dy() {
		for x := range own.Rect.Dx() {
			own.Set(x, y, img.At(x, y))
		}
	}
	for _, p := range at {
		own.Set(p.X, p.Y, c)
	}
	return own
}

// letteredInLayers ends the first page of a task: a pixel is erased, and another one lettered.
func (f fixture) letteredInLayers(id string) {
	f.t.Helper()
	ctx := f.t.Context()
	page := mustPages(f, id)[0]
	file, err := f.blobs.Read(ctx, page.Blob, 1<<20)
	require.NoError(f.t, err)
	original, err := picture.Decode(ctx, file, picture.DefaultLimits())
	require.NoError(f.t, err)
	erased := painted(original.Image, color.White, image.Pt(1, 1))
	result := painted(erased, color.NRGBA{R: 255, A: 255}, image.Pt(2, 1))
	split, err := layers.Split(ctx, original, layers.Difference(original.Image, erased), result)
	require.NoError(f.t, err)
	packed, err := split.Pack(ctx)
	require.NoError(f.t, err)
	encoded, err := original.Encode(ctx, result, original.Format)
	require.NoError(f.t, err)
	put := func(b []byte) core.BlobRef {
		ref, _, err := f.blobs.Put(ctx, bytes.NewReader(b), 1<<20)
		require.NoError(f.t, err)
		return ref
	}
	run := records.StageRun{Item: page, Stage: comic.StageRender, Rank: comic.Rank(comic.StageRender), Attempt: 1, Mode: comic.ModeSplit}
	_, err = f.records.BeginStage(ctx, run)
	require.NoError(f.t, err)
	out := comic.PageOutput{Result: put(encoded), Layers: put(packed), Mode: comic.ModeSplit, OutputChanged: true}
	require.NoError(f.t, f.records.FinishPage(ctx, run, out))
}

// The only page of a chapter, a JPEG, is one OpenRaster file whose layers together are its result.
func TestAPageInLayers(t *testing.T) {
	f := open(t)
	var file bytes.Buffer
	require.NoError(t, jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 300, 40)), nil))
	task := f.accept(comictasks.Request{To: "en", Request: tasks.Request{Tenant: tenant, Files: []tasks.Upload{upload("1.jpg", file.Bytes())}}})
	require.NoError(t, f.records.StartTask(t.Context(), core.StartTaskInput{TaskID: task.ID}))
	f.letteredInLayers(task.ID)
	_, err := f.records.FinishTask(t.Context(), core.FinishTaskInput{TaskID: task.ID})
	require.NoError(t, err)

	written := f.resultAs(task.ID, comic.FormatORA)
	require.Equal(t, "mimetypeimage/openraster", string(written[30:54]), "first and stored")
	names, contents := files(t, written)
	require.Equal(t, []string{"mimetype", "stack.xml", "data/000.png", "data/001.png", "data/002.png", "mergedimage.png", "Thumbnails/thumbnail.png"}, names)
	var stack struct {
		Width  int `xml:"w,attr"`
		Height int `xml:"h,attr"`
		Layers []struct {
			Name   string `xml:"name,attr"`
			Source string `xml:"src,attr"`
		} `xml:"stack>layer"`
	}
	require.NoError(t, xml.Unmarshal(contents["stack.xml"], &stack))
	require.Equal(t, []int{300, 40}, []int{stack.Width, stack.Height})
	require.Len(t, stack.Layers, 3)
	require.Equal(t, "Lettering", stack.Layers[0].Name, "the uppermost comes first")
	shown := image.NewNRGBA(image.Rect(0, 0, 300, 40))
	for i := range stack.Layers {
		layer, err := png.Decode(bytes.NewReader(contents[stack.Layers[2-i].Source]))
		require.NoError(t, err)
		for y := range 40 {
			for x := range 300 {
				if _, _, _, a := layer.At(x, y).RGBA(); a > 0 {
					shown.Set(x, y, layer.At(x, y))
				}
			}
		}
	}
	require.Equal(t, []color.Color{color.NRGBA{255, 255, 255, 255}, color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 0, 255}},
		[]color.Color{shown.At(1, 1), shown.At(2, 1), shown.At(40, 20)})
	merged, err := png.Decode(bytes.NewReader(contents["mergedimage.png"]))
	require.NoError(t, err)
	require.Equal(t, shown.Rect, merged.Bounds())
	small, err := png.Decode(bytes.NewReader(contents["Thumbnails/thumbnail.png"]))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 256, 34), small.Bounds())
}

// Each page of a chapter is a file of its own. One that is no picture comes as it is, and a failed one has its original alone.
func TestAChapterInLayers(t *testing.T) {
	f := open(t)
	task := f.accept(request(zipOf(t, named{"1.png", pagePNG(t, 1)}, named{"2.png", pagePNG(t, 2)}, named{"3.png", []byte("no picture")})))
	f.finish(task.ID, 0, 2)
	f.sql(`UPDATE item SET result_blob = (SELECT o.blob FROM item o WHERE o.item_index = 0) WHERE item_index = 1`)
	names, contents := files(t, f.resultAs(task.ID, comic.FormatORA))
	require.Equal(t, []string{"1.ora", "2.ora", "3.png"}, names)
	_, failed := files(t, contents["1.ora"])
	require.Equal(t, pagePNG(t, 1), failed["data/000.png"])
	require.Equal(t, pagePNG(t, 1), failed["mergedimage.png"])
	require.NotContains(t, failed, "data/001.png")
	_, without := files(t, contents["2.ora"])
	require.Equal(t, [][]byte{pagePNG(t, 2), pagePNG(t, 1)}, [][]byte{without["data/000.png"], without["data/001.png"]}, "the result, where no layers are kept")
	require.Equal(t, "no picture", string(contents["3.png"]))
}

func TestAChapterAsAFolder(t *testing.T) {
	f := open(t)
	task := f.accept(request(twoPages(t)))
	f.finish(task.ID)
	names, contents := files(t, f.resultAs(task.ID, comic.FormatZIP))
	require.Equal(t, []string{"Vol 1/10.png", "Vol 1/ComicInfo.xml", "Vol 1/2.png"}, names)
	require.Equal(t, "result of 2.png", string(contents["Vol 1/2.png"]))
	require.Contains(t, string(contents["Vol 1/ComicInfo.xml"]), "<LanguageISO>en")
	requireCode(t, core.CodeInvalidInput, f.WriteResultAs(t.Context(), io.Discard, tenant, task.ID, "pdf"))
}
