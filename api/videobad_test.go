package api_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	img "image"
	"image/color"
	"image/gif"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	videoschema "plait/api/video/schema"
	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/picture"
	"plait/internal/records"
)

// dataInspection is the word of the contract for an image or a video that is refused for what it is.
const dataInspection core.Code = "InvalidParameter.DataInspection"

func TestVideosThatAreNotEnlarged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("tenant")
	number := func(n int) *int { return &n }
	seed, yes := int64(1), true
	for name, bad := range map[string]struct {
		change func(*videoschema.Request)
		status int
		code   core.Code
		what   string
	}{
		"no video":        {func(v *videoschema.Request) { v.Input.Video = "" }, 400, "InvalidParameter", "input.video is missing"},
		"a prompt":        {func(v *videoschema.Request) { v.Input.Prompt = "sharper" }, 400, "InvalidParameter", "no prompt"},
		"a resolution":    {func(v *videoschema.Request) { v.Parameters.Resolution = "720P" }, 400, "InvalidParameter", "more than scale"},
		"a seed":          {func(v *videoschema.Request) { v.Parameters.Seed = &seed }, 400, "InvalidParameter", "more than scale"},
		"a watermark":     {func(v *videoschema.Request) { v.Parameters.Watermark = &yes }, 400, "InvalidParameter", "more than scale"},
		"a scale":         {func(v *videoschema.Request) { v.Parameters.Scale = number(3) }, 400, "InvalidParameter", "2, 4"},
		"another model":   {func(v *videoschema.Request) { v.Model = "motion" }, 400, "InvalidParameter", "type"},
		"another type":    {func(v *videoschema.Request) { v.Type = "image_to_video" }, 400, "InvalidParameter", "type"},
		"an image":        {func(v *videoschema.Request) { v.Input.Video = uri(pictureOf(t, 4, 4, 255)) }, 400, "InvalidParameter", "data:video"},
		"text":            {func(v *videoschema.Request) { v.Input.Video = "data:video/mp4;base64,aGVsbG8gd29ybGQ=" }, 422, dataInspection, "input.video"},
		"nothing":         {func(v *videoschema.Request) { v.Input.Video = "data:video/mp4;base64," }, 422, dataInspection, "input.video"},
		"a file":          {func(v *videoschema.Request) { v.Input.Video = "file:///etc/passwd" }, 400, "InvalidParameter", "input.video"},
		"an unknown blob": {func(v *videoschema.Request) { v.Input.Video = exampleBlob }, 400, "InvalidParameter", "there is no upload"},
		"a video for a camera": {func(v *videoschema.Request) {
			v.Model, v.Type, v.Input.Prompt = "motion", "image_to_video", "zoom in"
		}, 400, "InvalidParameter", "for video_upscale"},
	} {
		t.Log(name)
		c.postVideo(generations, upscaleRequest(t, bad.change)).refused(bad.status, bad.code, bad.what)
	}
	r.nothingLeft()
}

func TestVideosThatAreRefused(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.MaxBody = 128 << 20 // as by default
	r := newRigWith(t, config)
	c := r.caller("tenant")
	number := func(n int) *int { return &n }
	seed := int64(-1)
	for name, bad := range map[string]struct {
		change func(*videoschema.Request)
		status int
		code   core.Code
		what   string
	}{
		"no model":          {func(v *videoschema.Request) { v.Model = "" }, 400, "InvalidParameter", "model is missing"},
		"unknown model":     {func(v *videoschema.Request) { v.Model = "sora" }, 404, "ModelNotFound", "motion, realesr-animevideov3, wan"},
		"unknown type":      {func(v *videoschema.Request) { v.Type = "video_upscale" }, 400, "InvalidParameter", "type"},
		"type of another":   {func(v *videoschema.Request) { v.Type = "text_to_video" }, 400, "InvalidParameter", "image_to_video"},
		"no input":          {func(v *videoschema.Request) { v.Input = nil }, 400, "InvalidParameter", "input is missing"},
		"no prompt":         {func(v *videoschema.Request) { v.Input.Prompt = " " }, 400, "InvalidParameter", "input.prompt"},
		"endless prompt":    {func(v *videoschema.Request) { v.Input.Prompt = strings.Repeat("x", 100_000) }, 400, "InvalidParameter", "input.prompt"},
		"prompt of 10 MB":   {func(v *videoschema.Request) { v.Input.Prompt = strings.Repeat("鯨", 10<<20/3) }, 400, "InvalidParameter", "input.prompt has more than 20000 characters"},
		"10 MB of escapes":  {func(v *videoschema.Request) { v.Input.NegativePrompt = strings.Repeat("\n", 5<<20) }, 400, "InvalidParameter", "input.negative_prompt has more than 20000 characters"},
		"control character": {func(v *videoschema.Request) { v.Input.NegativePrompt = "\x00" }, 400, "InvalidParameter", "control"},
		"no image":          {func(v *videoschema.Request) { v.Input.Image = "" }, 400, "InvalidParameter", "input.image is missing"},
		"useless image":     {func(v *videoschema.Request) { v.Model, v.Type = "wan", "text_to_video" }, 400, "InvalidParameter", "not for text_to_video"},
		"no blob of ours":   {func(v *videoschema.Request) { v.Input.Image = exampleBlob }, 400, "InvalidParameter", "there is no upload"},
		"nothing as data":   {func(v *videoschema.Request) { v.Input.Image = "data:image/png;base64," }, 422, dataInspection, "input.image"},
		"11 MB as data":     {func(v *videoschema.Request) { v.Input.Image = uri(make([]byte, 10<<20+3)) }, 413, "RequestTooLarge", "input.image has more than 10485760 bytes"},
		"no base64":         {func(v *videoschema.Request) { v.Input.Image = "data:image/png;base64,???" }, 400, "InvalidParameter", "base64"},
		"no image data":     {func(v *videoschema.Request) { v.Input.Image = "data:text/html,hello" }, 400, "InvalidParameter", "data:image"},
		"no URL":            {func(v *videoschema.Request) { v.Input.Image = "file:///etc/passwd" }, 400, "InvalidParameter", "input.image"},
		"not an image":      {func(v *videoschema.Request) { v.Input.Image = uri([]byte("hello")) }, 422, dataInspection, "input.image"},
		"too small":         {func(v *videoschema.Request) { v.Input.Image = uri(pictureOf(t, 480, 359, 255)) }, 422, dataInspection, "480 x 359"},
		"too large":         {func(v *videoschema.Request) { v.Input.Image = uri(pictureOf(t, 2001, 400, 255)) }, 422, dataInspection, "2000"},
		"transparent":       {func(v *videoschema.Request) { v.Input.Image = uri(pictureOf(t, 480, 360, 250)) }, 422, dataInspection, "transparent"},
		"resolution":        {func(v *videoschema.Request) { v.Parameters.Resolution = "4K" }, 400, "InvalidParameter", "resolution"},
		"duration":          {func(v *videoschema.Request) { v.Parameters.Duration = number(99) }, 400, "InvalidParameter", "duration"},
		"seed":              {func(v *videoschema.Request) { v.Parameters.Seed = &seed }, 400, "InvalidParameter", "seed"},
	} {
		t.Log(name)
		body := videoRequest(t, bad.change)
		for _, path := range []string{generations, "/api" + generations} {
			c.postVideo(path, body).refused(bad.status, bad.code, bad.what)
		}
	}
	unknown := bytes.Replace(videoRequest(t, nil), []byte(`"prompt"`), []byte(`"size":"1280*720","prompt"`), 1)
	c.postVideo(generations, unknown).refused(http.StatusBadRequest, "InvalidParameter", "size")
	c.postVideo(generations, []byte(`{"model":`)).refused(http.StatusBadRequest, "InvalidParameter", "not JSON")
	c.do(http.MethodPost, generations, reader([]byte("x")), "Content-Type: text/plain").refused(http.StatusUnsupportedMediaType, "InvalidParameter", "content type")
	large := videoRequest(t, func(v *videoschema.Request) { v.Input.Image = uri(make([]byte, 12<<20)) })
	c.postVideo(generations, large).refused(http.StatusRequestEntityTooLarge, "RequestTooLarge", "bytes")
	caller{r, "", "pk_wrong"}.get(generations+"/x").refused(http.StatusUnauthorized, "InvalidApiKey", "key")
	r.callerOf("tenant", records.ScopeRead).postVideo(generations, videoRequest(t, nil)).refused(http.StatusForbidden, "AccessDenied", "scope")
	r.nothingLeft()
}

// imagesOf are images of these pixels, by format.
func imagesOf(tb testing.TB, pixels *img.NRGBA) map[picture.Format][]byte {
	tb.Helper()
	files := map[picture.Format][]byte{}
	for _, f := range []picture.Format{picture.JPEG, picture.PNG, picture.BMP, picture.WebP} {
		b, err := picture.Encode(tb.Context(), pixels, picture.Info{Format: f, Lossless: true})
		require.NoError(tb, err)
		files[f] = b
	}
	return files
}

// colored is an image whose pixels differ.
func colored(width, height int) *img.NRGBA {
	m := img.NewNRGBA(img.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = byte(i * i / 7)
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

// enormous is an image whose header says that it has more than 16,000 x 16,000 pixels.
func enormous(tb testing.TB, f picture.Format, file []byte) []byte {
	tb.Helper()
	b := bytes.Clone(file)
	switch f {
	case picture.PNG: // IHDR
		binary.BigEndian.PutUint32(b[16:], 40_000)
		binary.BigEndian.PutUint32(b[20:], 40_000)
		binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	case picture.JPEG: // the start of the frame, baseline
		at := bytes.Index(b, []byte{0xff, 0xc0})
		require.Positive(tb, at)
		binary.BigEndian.PutUint16(b[at+5:], 65_000)
		binary.BigEndian.PutUint16(b[at+7:], 65_000)
	case picture.BMP: // BITMAPINFOHEADER
		binary.LittleEndian.PutUint32(b[18:], 40_000)
		binary.LittleEndian.PutUint32(b[22:], 40_000)
	default: // VP8L: 14 bits for each side, less 1
		require.Equal(tb, "VP8L", string(b[12:16]))
		binary.LittleEndian.PutUint32(b[21:], binary.LittleEndian.Uint32(b[21:])|(1<<28-1))
	}
	return b
}

// inflated is a PNG of 480 x 360 pixels with so many bytes in one of its compressed chunks, which takes a thousandth of that.
func inflated(tb testing.TB, chunk string, size int64) []byte {
	tb.Helper()
	b := imagesOf(tb, colored(480, 360))[picture.PNG]
	var packed bytes.Buffer
	if chunk == "iCCP" {
		packed.WriteString("profile\x00\x00")
	}
	z := zlib.NewWriter(&packed)
	_, err := io.CopyN(z, zeros{}, size)
	require.NoError(tb, err)
	require.NoError(tb, z.Close())
	data := append([]byte(chunk), packed.Bytes()...)
	out := bytes.Clone(b[:33]) // the signature and IHDR
	out = binary.BigEndian.AppendUint32(out, uint32(packed.Len()))
	out = binary.BigEndian.AppendUint32(append(out, data...), crc32.ChecksumIEEE(data))
	if chunk == "IDAT" {
		return append(out, b[len(b)-12:]...) // IEND
	}
	return append(out, b[33:]...)
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// An image that is cut off, or that says that it is enormous, or that is something else, is refused in every format and leaves nothing.
func TestImagesThatNoVideoIsMadeOf(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("tenant")
	refused := func(file []byte, what string) {
		t.Helper()
		for _, path := range []string{generations, "/api" + generations} {
			body := videoRequest(t, func(v *videoschema.Request) { v.Input.Image = uri(file) })
			c.postVideo(path, body).refused(http.StatusUnprocessableEntity, dataInspection, what)
		}
	}
	pixels := colored(480, 360)
	for format, file := range imagesOf(t, pixels) {
		refused(file[:len(file)/2], "input.image")
		refused(file[:20], "input.image")
		refused(enormous(t, format, file), "2000")
	}
	for format, file := range imagesOf(t, colored(359, 1000)) {
		refused(file, "359 x 1000")
		require.NotEmpty(t, format)
	}
	for _, file := range imagesOf(t, colored(360, 2001)) {
		refused(file, "2000")
	}
	pixels.SetNRGBA(479, 359, color.NRGBA{A: 254})
	transparent := imagesOf(t, pixels)
	refused(transparent[picture.PNG], "transparent")
	refused(transparent[picture.WebP], "transparent")
	var animation bytes.Buffer
	require.NoError(t, gif.Encode(&animation, pixels, nil))
	refused(animation.Bytes(), "gif is none of jpeg, png, bmp and webp")
	refused(inflated(t, "IDAT", 100<<20), "input.image")
	for _, text := range []string{"hello", "%PDF-1.7", "<svg xmlns='http://www.w3.org/2000/svg' width='480' height='360'/>", "II*\x00", "\x00\x00\x00\x10ftypavif"} {
		refused([]byte(text), "input.image")
	}
	r.nothingLeft()

	for format, file := range imagesOf(t, colored(360, 2000)) {
		t.Log(format)
		c.submitted(videoRequest(t, func(v *videoschema.Request) { v.Input.Image = uri(file) }))
	}
}

// An image by URL is checked as any other. A URL that does not answer, that answers something else or that leads inside is refused by the
// name of the field, and leaves nothing.
func TestImagesByURL(t *testing.T) {
	w := newWeb(t, testConfig(), func(c *fetch.Config) {
		c.Timeout, c.MinRate, c.RateWindow = 5*time.Second, 10_000, 500*time.Millisecond
	})
	t.Setenv("TMPDIR", t.TempDir())
	files := imagesOf(t, colored(480, 360))
	at := w.server.URL
	w.server.Put("cut", files[picture.JPEG][:1000])
	w.server.Put("bomb", enormous(t, picture.PNG, files[picture.PNG]))
	w.server.Put("page", []byte("<html>not found</html>"))
	w.server.Put("large", make([]byte, 10<<20+1))
	w.server.Put("empty", nil)
	w.server.Put("secret", files[picture.PNG])
	post := func(field, u string) answer {
		body := videoRequest(t, func(v *videoschema.Request) {
			if v.Input.Image = u; field == "input.video" {
				v.Model, v.Type, v.Input = "realesr-animevideov3", "video_upscale", &videoschema.Input{Video: u}
			}
		})
		return w.postVideo(generations, body)
	}
	const invalid core.Code = "InvalidParameter"
	for path, bad := range map[string]struct {
		status int
		code   core.Code
		what   string
	}{
		"/file/cut":     {http.StatusUnprocessableEntity, dataInspection, "input.image"},
		"/file/bomb":    {http.StatusUnprocessableEntity, dataInspection, "40000 x 40000"},
		"/file/page":    {http.StatusUnprocessableEntity, dataInspection, "input.image"},
		"/file/empty":   {http.StatusUnprocessableEntity, dataInspection, "input.image"},
		"/status/404":   {http.StatusBadRequest, invalid, "input.image: " + at("/status/404") + ": the server answered 404"},
		"/status/500":   {http.StatusBadRequest, invalid, "the server answered 500"},
		"/silent":       {http.StatusBadRequest, invalid, "input.image"},
		"/drip":         {http.StatusBadRequest, invalid, "too slowly"},
		"/stall":        {http.StatusBadRequest, invalid, "too slowly"},
		"/loop":         {http.StatusBadRequest, invalid, "too many redirects"},
		"/short/secret": {http.StatusBadRequest, invalid, "did not arrive whole"},
		"/gzip/secret":  {http.StatusBadRequest, invalid, "compressed"},
		"/file/large":   {http.StatusRequestEntityTooLarge, "RequestTooLarge", "input.image"},
		"/endless":      {http.StatusRequestEntityTooLarge, "RequestTooLarge", "input.image"},
		"/huge":         {http.StatusRequestEntityTooLarge, "RequestTooLarge", "input.image"},
	} {
		post("input.image", at(path)).refused(bad.status, bad.code, bad.what)
	}
	for _, way := range w.server.Ways(w.dns) {
		for _, field := range []string{"input.image", "input.video"} {
			post(field, way).refused(http.StatusBadRequest, invalid, field)
		}
	}
	require.Zero(t, w.server.Forbidden())
	w.nothingLeft()
	w.noTemporaryFile()

	w.submitted(videoRequest(t, func(v *videoschema.Request) { v.Input.Image = at("/to?/type/secret") }))
	blob := w.upload(files[picture.BMP])
	w.submitted(videoRequest(t, func(v *videoschema.Request) { v.Input.Image = string(blob.Blob) }))
	post("input.image", exampleBlob).refused(http.StatusBadRequest, invalid, "input.image: there is no upload")
	w.noTemporaryFile()
}
