package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"plait/api/client/progress"
	"plait/installation"
	videoinstallation "plait/installation/video"
	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/languages"
	"plait/internal/picture"
	"plait/internal/video"
	"plait/internal/video/motioncomic"
)

// videoComicFlags are the choices of `plait video comic`.
type videoComicFlags struct {
	pageFlags
	order, resolution, out string
	portrait               bool
}

func newVideoComic(a *app) *cobra.Command {
	f := &videoComicFlags{}
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
	c.Flags().StringVar(&f.order, "order", languages.Auto, "reading order: auto, ltr or rtl")
	c.Flags().StringVar(&f.resolution, "resolution", string(video.Resolution720), "480P, 720P or 1080P")
	c.Flags().BoolVar(&f.portrait, "portrait", false, "make a video that is higher than wide")
	c.Flags().StringVarP(&f.out, "out", "o", "", "where to write the video")
	return c
}

// filmedPage is what is known of a page once it is read.
type filmedPage struct {
	panels      []motioncomic.Panel
	language    string
	rightToLeft bool
}

func (f *videoComicFlags) run(c *cobra.Command, l *config.Loaded, args []string) (err error) {
	if err := f.check(c); err != nil {
		return err
	}
	order, err := comic.ParseReadingOrder(f.order)
	if err != nil {
		return usageError(c, err)
	}
	width, height := video.Resolution(f.resolution).Wide()
	if width == 0 {
		return usageError(c, fmt.Errorf("--resolution %q is none of %s", f.resolution, video.Join(video.Resolutions())))
	}
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
	part := target.File + ".part"
	film, err := motioncomic.Start(c.Context(), program, part, width, height)
	if err != nil {
		return err
	}
	return f.film(c, l, in.List, order, film, part, target.File)
}

// film films the pages, and gives the file its name once it is whole.
func (f *videoComicFlags) film(
	c *cobra.Command, l *config.Loaded, pages []files.Page, order comic.ReadingOrder, film *motioncomic.Film, part, target string,
) error {
	printer := newPagePrinter(c, f.asJSON)
	err := f.addAll(c, l, pages, order, film, printer)
	status := printer.status(len(pages), "filmed")
	if err != nil || film.Seconds() == 0 {
		film.Cancel()
		return errors.Join(err, status, os.Remove(part))
	}
	if err := film.Close(); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := os.Rename(part, target); err != nil {
		return err
	}
	if f.asJSON {
		err = printer.encode(map[string]any{"file": target, "seconds": film.Seconds()})
	} else {
		_, err = fmt.Fprintf(printer.out, "%s, %.1f seconds\n", target, film.Seconds())
	}
	return errors.Join(err, status)
}

// addAll reads the pages, and films each as soon as those before it are filmed.
func (f *videoComicFlags) addAll(
	c *cobra.Command, l *config.Loaded, pages []files.Page, order comic.ReadingOrder, film *motioncomic.Film, printer *pagePrinter,
) (err error) {
	e, err := batch.Open(c.Context(), &l.Config, f.Options, len(pages))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	read := func(ctx context.Context, e *batch.Engine, _ int, page []byte, found *filmedPage) error {
		opened, out, err := e.Detect(ctx, page, comic.Options{From: f.From, Order: order})
		if err != nil {
			return err
		}
		found.language, found.rightToLeft = out.FromLang, order.RightToLeft(out.FromLang)
		found.panels, err = motioncomic.Panels(ctx, opened.Page(), out.Regions, found.rightToLeft)
		return err
	}
	return batch.Run(c.Context(), e, pages, read, func(page files.Page, found filmedPage, err error) error {
		began := film.Seconds()
		if err == nil {
			err = f.shoot(c.Context(), l, page, found, film)
			if core.CodeOf(err) == core.CodeInternal {
				return err // of the film, not of the page
			}
		}
		switch {
		case err != nil:
			return printer.fail(page.Name, err)
		case f.asJSON:
			return printer.encode(map[string]any{"page": page.Name, "panels": len(found.panels), "seconds": film.Seconds() - began})
		default:
			_, err := fmt.Fprintf(printer.out, "%s: %s, %.1f seconds\n", page.Name, progress.Count(len(found.panels), "panel"), film.Seconds()-began)
			return err
		}
	})
}

// shoot films a page.
func (f *videoComicFlags) shoot(ctx context.Context, l *config.Loaded, page files.Page, found filmedPage, film *motioncomic.Film) error {
	limits := installation.PictureLimits(&l.Config)
	b, err := page.Bytes(limits.MaxBytes)
	if err != nil {
		return err
	}
	p, err := picture.Decode(ctx, b, limits)
	if err != nil {
		return err
	}
	return film.Add(motioncomic.Page{Picture: p.Image, Panels: found.panels, Language: found.language, RightToLeft: found.rightToLeft})
}
