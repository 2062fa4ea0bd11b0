// Command draw draws the sample chapter, "The Cloud Whale's Lighthouse", and a
// small chapter for tests, pixel by pixel from the shapes in this folder.
//
//	go run ./examples/draw                    draws examples/chapter
//	go run ./examples/draw -small             draws examples/small
//	go run ./examples/draw -cbz out/lighthouse.cbz   packs the pages as they lie, and draws nothing
//
// Beside the pages it writes what stands on them: script.en.json, the English
// edition in the form the script translator reads, and truth.json, the place and
// the lines of every text block, which tests of reading compare with.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("draw", flag.ContinueOnError)
	small := flags.Bool("small", false, "draw the small chapter for tests")
	out := flags.String("o", "", "folder of the pages (examples/chapter, or examples/small)")
	notes := flags.String("notes", "", "folder of script.en.json and truth.json (examples, or examples/small)")
	fonts := flags.String("fonts", "build/assets/fonts", "folder of the fonts that `make assets` fetches")
	cbz := flags.String("cbz", "", "pack the pages of -o into this file and draw nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chapter, pagesIn, notesIn := lighthouse, "examples/chapter", "examples"
	if *small {
		chapter, pagesIn, notesIn = postcard, "examples/small", "examples/small"
	}
	if *out != "" {
		pagesIn = *out
	}
	if *notes != "" {
		notesIn = *notes
	}
	if *cbz != "" {
		return packFile(*cbz, os.DirFS(pagesIn))
	}
	faces, err := LoadType(os.DirFS(*fonts))
	if err != nil {
		return fmt.Errorf("%w (run `make assets` first)", err)
	}
	return chapter.write(pagesIn, notesIn, faces)
}
