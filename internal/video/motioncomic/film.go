package motioncomic

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"

	xdraw "golang.org/x/image/draw"

	"plait/internal/video/ffmpeg"
	"plait/internal/video/motion"
)

// moveSeconds is how long the camera takes from one panel to the next.
const moveSeconds = 0.75

// surroundings is the color beyond the edges of a page.
var surroundings = color.NRGBA{R: 24, G: 24, B: 24, A: 255}

// Page is a page to be filmed.
type Page struct {
	Picture image.Image
	Panels  []Panel
	// Language is that of the texts, as a BCP 47 tag; RightToLeft says how the page is read.
	Language    string
	RightToLeft bool
}

// Film is a film in work.
type Film struct {
	ctx           context.Context
	width, height int
	out           *ffmpeg.Encoder
	frames        int
}

// Start starts a film of width x height pixels, both even, 24 frames a second, H.264 in MP4, at a path, which it replaces. The caller ends it
// with [Film.Close] or [Film.Cancel].
func Start(ctx context.Context, program *ffmpeg.Program, path string, width, height int) (*Film, error) {
	out, err := program.Encode(ctx, path, ffmpeg.Encoding{Width: width, Height: height, Rate: ffmpeg.Rational{Num: motion.FrameRate, Den: 1}})
	return &Film{ctx: ctx, width: width, height: height, out: out}, err
}

// Add films a page, after those before it. Its errors are those of ffmpeg and of the context.
func (f *Film) Add(p Page) error {
	aspect := float64(f.width) / float64(f.height)
	var at *window
	for _, panel := range p.Panels {
		from, to := held(panel.Box, aspect, p.RightToLeft)
		if at != nil {
			if err := f.shoot(p.Picture, *at, from, moveSeconds); err != nil {
				return err
			}
		}
		if err := f.shoot(p.Picture, from, to, Seconds(panel.Texts, p.Language)); err != nil {
			return err
		}
		at = &to
	}
	return nil
}

// Seconds is the duration of what was filmed.
func (f *Film) Seconds() float64 { return float64(f.frames) / motion.FrameRate }

// Close waits until the file is whole.
func (f *Film) Close() error { return f.out.Close() }

// Cancel leaves a part of a file.
func (f *Film) Cancel() { f.out.Cancel() }

// shoot films a move from one window to another.
func (f *Film) shoot(page image.Image, from, to window, seconds float64) error {
	whole := union(from, to, float64(f.width)/float64(f.height))
	shot := motion.Shot{From: from.view(whole), To: to.view(whole)}
	frames := int(math.Round(seconds * motion.FrameRate))
	return motion.Render(f.ctx, f.cut(page, whole, max(shot.From.Zoom, shot.To.Zoom)), f.width, f.height, frames, []motion.Shot{shot}, func(frame []byte) error {
		f.frames++
		return f.out.Write(frame)
	})
}

// cut returns the picture of a window, at most as large as the camera needs it that comes as near as zoom.
func (f *Film) cut(page image.Image, w window, zoom float64) image.Image {
	scale := min(1, float64(f.width)*zoom/w.width())
	width, height := max(int(math.Ceil(w.width()*scale)), 1), max(int(math.Ceil(w.height()*scale)), 1)
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(picture, picture.Rect, image.NewUniform(surroundings), image.Point{}, draw.Src)
	b := page.Bounds()
	place := func(x, y float64) image.Point {
		return image.Pt(int(math.Round((x-w.x0)*scale)), int(math.Round((y-w.y0)*scale)))
	}
	xdraw.CatmullRom.Scale(picture, image.Rectangle{Min: place(0, 0), Max: place(float64(b.Dx()), float64(b.Dy()))}, page, b, draw.Over, nil)
	return picture
}
