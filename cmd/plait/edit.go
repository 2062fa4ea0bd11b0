package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/client/progress"
	comicclient "plait/api/comic/client"
	"plait/internal/config"
	"plait/internal/files"
	"plait/internal/translate/script"
)

// editFlags are the choices of `plait edit`.
type editFlags struct {
	server, script, out string
	asJSON              bool
}

func newEdit(a *app) *cobra.Command {
	f := &editFlags{}
	c := &cobra.Command{
		Use:   "edit TASK PAGE REGION=TEXT... | edit TASK --script FILE",
		Short: "Change translations of a task that is done, and letter its pages again",
		Long: `Change translations of the pages of a task. Only these pages are lettered again, no model is asked, and the result is
written again. A later task on the same images keeps the edits.

TASK is the id that "plait translate" ends with, or the beginning of it. PAGE is the name of a page, and REGION the number of a text on
it, from 0, as "plait export" lists them. An empty TEXT restores the original lettering. With --script every text that differs from the
script is changed: export, edit the file, and pass it here.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 130 interrupted.`,
		Example: `  plait edit 0b7ad2a6-6b0a-4a0c-9a52-0c5a4f6f8d11 02.png 3='Look out!' -o book.en.cbz
  plait edit 0b7ad2a6-6b0a-4a0c-9a52-0c5a4f6f8d11 --script script.json -o book.en.cbz`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return errors.New("name the task to edit")
			case f.script == "" && len(args) < 3:
				return errors.New("name a page and REGION=TEXT, or give --script")
			case f.script != "" && len(args) > 1:
				return errors.New("give a page and its texts, or --script, and not both")
			}
			return nil
		},
		RunE: a.configured(f.run),
	}
	addServer(c, &f.server)
	c.Flags().StringVar(&f.script, "script", "", "take the texts from this file, JSON or CSV")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line for each page that shows its edits, or does not")
	c.Flags().StringVarP(&f.out, "out", "o", "", "where to write the chapter with its edits: a .cbz or .zip file, or a folder (default: where it was written before)")
	return c
}

func (f *editFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	wanted, err := f.edits(c, args)
	if err != nil {
		return err
	}
	out, err := files.ResultOf(f.out)
	if err != nil {
		return usageError(c, err)
	}
	if err := out.Check(nil); err != nil {
		return err
	}
	s := newSession(c, l, f.server, progress.NewLines(c.ErrOrStderr(), nil))
	p := newPagePrinter(c, f.asJSON)
	say := func(line string) {
		if !f.asJSON {
			fmt.Fprintln(p.out, line)
		}
	}
	return s.use("What was edited stays; the same command goes on from here.", func(ctx context.Context, api *client.Client) error {
		id, err := api.Resolve(ctx, args[0])
		if err != nil {
			return err
		}
		changed := 0
		pages, err := comicclient.Client{Client: api}.EditScript(ctx, id, wanted, comicclient.EditEvents{
			Asked: func(page string, texts int) {
				changed++
				say(fmt.Sprintf("%s: %s changed", page, progress.Count(texts, "text")))
			},
			Ended: func(page string, texts int, err error) error {
				switch {
				case err != nil:
					return p.fail(page, err)
				case f.asJSON:
					return p.encode(map[string]any{"page": page, "changed": texts})
				}
				return nil
			},
		})
		if err != nil {
			return err
		}
		if changed == 0 && p.failed == 0 {
			say("Nothing to change: the pages have these texts already.")
		}
		if changed > 0 || f.out != "" {
			lines, err := s.renew(ctx, api, id, out)
			if err != nil {
				return err
			}
			for _, line := range lines {
				say(line)
			}
		}
		return p.status(pages, "edited")
	})
}

// edits are the texts of the command line or of its script.
func (f *editFlags) edits(c *cobra.Command, args []string) (*script.File, error) {
	if f.script != "" {
		edits, _, err := readScript(f.script)
		return edits, err
	}
	edits, err := script.ParseEdits(args[1], args[2:])
	if err != nil {
		return nil, usageError(c, err)
	}
	return edits, nil
}
