package motioncomic

import (
	"context"
	"errors"
	"os"

	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/files"
	"plait/internal/video/ffmpeg"
)

// Job is pages that become a film.
type Job struct {
	Program *ffmpeg.Program
	Pages   []files.Page
	// From is the language of the pages, or "auto", and Order how they are read.
	From  string
	Order comic.ReadingOrder
	// Width and Height are the size of the film, both even.
	Width, Height int
	// Path is the file of the film. It appears when the film is whole.
	Path string
}

// Filmed is what became of a page.
type Filmed struct {
	Panels  int
	Seconds float64
}

// Run reads the pages with an engine, films each as soon as those before it are filmed, and passes what became of each to show. A page that
// cannot be read is left out, and the film goes on. It returns the duration of the film in seconds; without a page there is none, and no
// file.
//
// Errors: those of show, of ffmpeg and of the context.
func (j Job) Run(ctx context.Context, e *batch.Engine, show func(page files.Page, f Filmed, err error) error) (seconds float64, err error) {
	part := j.Path + ".part"
	film, err := Start(ctx, j.Program, part, j.Width, j.Height)
	if err != nil {
		return 0, err
	}
	err = batch.Run(ctx, e, j.Pages, j.read, func(page files.Page, read Page, failed error) error {
		began := film.Seconds()
		if failed == nil {
			if err := film.Add(read); err != nil {
				return err
			}
		}
		return show(page, Filmed{Panels: len(read.Panels), Seconds: film.Seconds() - began}, failed)
	})
	if seconds = film.Seconds(); err != nil || seconds == 0 {
		film.Cancel()
		return 0, errors.Join(err, os.Remove(part))
	}
	if err := film.Close(); err != nil {
		return 0, errors.Join(err, os.Remove(part))
	}
	return seconds, os.Rename(part, j.Path)
}

// read reads a page. The picture is the one in which the engine has found the text.
func (j Job) read(ctx context.Context, e *batch.Engine, _ int, page []byte, found *Page) error {
	opened, out, err := e.Detect(ctx, page, comic.Options{From: j.From, Order: j.Order})
	if err != nil {
		return err
	}
	found.Picture, found.Language, found.RightToLeft = opened.Picture().Image, out.FromLang, j.Order.RightToLeft(out.FromLang)
	found.Panels = Panels(opened.Picture().Image, out.Regions, found.RightToLeft)
	return nil
}
