package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plait/api/client/progress"
	"plait/installation"
	videoinstallation "plait/installation/video"
	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/files"
	"plait/internal/video"
	"plait/internal/video/motioncomic"
)

// videoComicFlags are the choices of `plait video comic`.
type videoComicFlags struct {
	pageFlags
	order      comic.ReadingOrder
	resolution video.Resolution
	out        string
	portrait   bool
}

func newVideoComic(a *app) *cobra.Command {
	f := &videoComicFlags{resolution: video.Resolution720}
	c := &cobra.Command{
		Use:   "comic PAGE...",
		Short: "Film the pages of a comic, panel after panel: images, folders, CBZ or ZIP files",
		Long: `Film the pages of a comic and write a video beside the first of them, or to the file that -o names. The camera goes from panel to panel in
reading order, and stays at each for as long as its text takes to read, by the mean speed of readers of its language. Nothing in the
pictures moves. The video has 24 frames a second, H.264 in MP4, and no sound. The same pages give the same file.

The command needs no server and no database, and fetches ffmpeg when it is first used.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 130 interrupted.`,
		Example: `  plait video comic book.cbz
  plait video comic pages/ --from ja --portrait --resolution 1080P -o book.mp4`,
		Args: somePages("film"),
		RunE: a.configured(f.run),
	}
	f.add(c)
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object a page, and one for the video")
	c.Flags().Var(readingOrder(&f.order), "order", "reading order: auto, ltr or rtl")
	c.Flags().Var(choice(&f.resolution, video.Resolutions()...), "resolution", "480P, 720P or 1080P")
	c.Flags().BoolVar(&f.portrait, "portrait", false, "make a video that is higher than wide")
	c.Flags().StringVarP(&f.out, "out", "o", "", "where to write the video")
	return c
}

func (f *videoComicFlags) run(c *cobra.Command, l *config.Loaded, args []string) (err error) {
	width, height := f.resolution.Wide()
	if f.portrait {
		width, height = height, width
	}
	target := files.Result{File: f.out}
	if f.out == "" {
		target.File = strings.TrimSuffix(filepath.Clean(args[0]), filepath.Ext(args[0])) + ".mp4"
	}
	if err := target.Check(args); err != nil {
		return err
	}
	program, err := videoinstallation.Program(c.Context(), l, c.ErrOrStderr())
	if err != nil {
		return err
	}
	in := files.List(args, installation.ArchiveLimits(&l.Config))
	defer in.Close()
	f.Ahead = 1 // of pages that wait for their turn, the pictures are kept
	e, err := batch.Open(c.Context(), &l.Config, f.Options, len(in.List))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return f.film(c, e, motioncomic.Job{Program: program, Pages: in.List, From: f.From, Order: f.order, Width: width, Height: height, Path: target.File})
}

// film films the pages, and prints what became of each.
func (f *videoComicFlags) film(c *cobra.Command, e *batch.Engine, j motioncomic.Job) error {
	p := newPagePrinter(c, f.asJSON)
	seconds, err := j.Run(c.Context(), e, func(page files.Page, done motioncomic.Filmed, err error) error {
		if err != nil {
			return p.fail(page.Name, err)
		}
		return answer(c, f.asJSON, map[string]any{"page": page.Name, "panels": done.Panels, "seconds": done.Seconds},
			"%s: %s, %.1f seconds\n", page.Name, progress.Count(done.Panels, "panel"), done.Seconds)
	})
	if err == nil && seconds != 0 {
		err = answer(c, f.asJSON, map[string]any{"file": j.Path, "seconds": seconds}, "%s, %.1f seconds\n", j.Path, seconds)
	}
	return errors.Join(err, p.status(len(j.Pages), "filmed"))
}
