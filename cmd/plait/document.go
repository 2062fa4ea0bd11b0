package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plait/api/client"
	"plait/api/client/progress"
	documentclient "plait/api/document/client"
	"plait/api/schema"
	documentinstallation "plait/installation/document"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/files"
	documenttasks "plait/tasks/document"
)

// documentFlags are the choices of `plait translate` that only documents have.
type documentFlags struct {
	output        document.Output
	dual          document.Dual
	pages, domain string
	keepActions   bool
	confidence    float64
	tableThreads  int
	passwordFlags
}

// documentOnly and chapterOnly are the names of flags that the other kind of input refuses.
var (
	documentOnly = []string{"output", "dual", "pages", "domain", "keep-actions", "confidence", "table-threads", "password-file"}
	chapterOnly  = []string{"folder", "stages", "script", "strict", "sounds", "fast"}
)

func (f *documentFlags) add(c *cobra.Command) {
	c.Flags().Var(choice(&f.output, document.OutputMono, document.OutputDual, document.OutputBoth), "output", "of a PDF: mono (translated), dual (with the original), or both as a ZIP (default mono)")
	c.Flags().Var(choice(&f.dual, document.DualAlternating, document.DualSideBySide), "dual", "of a dual PDF: alternating pages, or side_by_side (default alternating)")
	c.Flags().StringVar(&f.pages, "pages", "", "of a PDF: the pages to translate, such as 1-3,7,12- (default: all)")
	c.Flags().StringVar(&f.domain, "domain", "", "of a PDF: instructions for the model: general, medical, legal or your own (default general)")
	c.Flags().BoolVar(&f.keepActions, "keep-actions", false, "of a PDF: keep its JavaScript and launch actions")
	c.Flags().Float64Var(&f.confidence, "confidence", 0, "of a PDF: least confidence of the regions of its layout, 0.01 to 0.99 (default: document.confidence)")
	c.Flags().Var(upTo(&f.tableThreads, 100), "table-threads", "of a PDF: table cells of a page that are translated at the same time, 1 to 100 (default and most: document.table_slots)")
	f.passwordFlags.add(c)
}

// passwordFlags name the password of a PDF. A file keeps it from the list of processes and from the history of the shell.
type passwordFlags struct{ passwordFile string }

func (f *passwordFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.passwordFile, "password-file", "", "of an encrypted PDF: file with its password; - reads it from standard input")
}

// maxPasswordFile allows for more than the 127 bytes of a password, so that the server refuses a longer one by name.
const maxPasswordFile = 1 << 10

// password reads the password, without the end of its line.
func (f *passwordFlags) password(c *cobra.Command) (string, error) {
	if f.passwordFile == "" {
		return "", nil
	}
	read := func() ([]byte, error) { return files.Read(f.passwordFile, maxPasswordFile) }
	if f.passwordFile == "-" {
		read = func() ([]byte, error) { return io.ReadAll(io.LimitReader(c.InOrStdin(), maxPasswordFile)) }
	}
	content, err := read()
	return strings.TrimRight(string(content), "\r\n"), err
}

// runDocument translates a PDF file.
func (f *translateFlags) runDocument(c *cobra.Command, l *config.Loaded, path string) error {
	request, target, err := f.documentRequest(c, path)
	if err != nil {
		return err
	}
	uploads, sum, err := files.OpenFiles([]string{path})
	if err != nil {
		return err
	}
	request.Files = client.FilesOf(uploads)
	s := newSession(c, l, f.server, progress.New(c.OutOrStdout(), f.asJSON, kinds.Progress()))
	return s.make("The same command goes on from here.", target, func(ctx context.Context, api *client.Client) (schema.Task, error) {
		submitted, err := s.submit(ctx, api, request.Request(), sum, f.again)
		return submitted.Task, files.In(path, err)
	})
}

// documentRequest checks everything that can be checked before anything starts.
func (f *translateFlags) documentRequest(c *cobra.Command, path string) (r documentclient.Request, target files.Result, err error) {
	if err := refuse(c, chapterOnly, "a PDF"); err != nil {
		return r, target, err
	}
	r = documentclient.Request{
		From: f.from, To: f.to, Translator: f.translator, Output: f.output, Dual: f.dual, Pages: f.pages,
		Domain: f.domain, KeepActions: f.keepActions, Confidence: f.confidence, TableThreads: f.tableThreads, Priority: f.priority,
		Title: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)),
	}
	if c.Flags().Changed("mode") {
		if r.Mode, err = core.OneOf("", core.Mode(f.mode), document.ModeConcurrent, document.ModeSerial); err != nil {
			return r, target, wrongValue(c, "mode", err)
		}
	}
	if r.Glossary, r.Synopsis, err = f.told(); err != nil {
		return r, target, err
	}
	if r.Password, err = f.password(c); err != nil {
		return r, target, err
	}
	ending := endings[r.Output]
	target = files.Result{File: f.out}
	if f.out == "" {
		target.File = filepath.Join(filepath.Dir(path), r.Title+"."+r.To+ending)
	}
	if want := filepath.Ext(ending); !strings.EqualFold(filepath.Ext(target.File), want) {
		return r, target, usageError(c, fmt.Errorf("-o %s: the result is a %s file", f.out, want))
	}
	return r, target, target.Check([]string{path})
}

// endings are those of the files of each output, after the language.
var endings = map[document.Output]string{"": ".pdf", document.OutputMono: ".pdf", document.OutputDual: ".dual.pdf", document.OutputBoth: ".zip"}

// runDocument prints what the translation of a PDF file would take.
func (f *estimateFlags) runDocument(c *cobra.Command, l *config.Loaded, path string) error {
	r := documenttasks.Request{From: f.From, To: f.to, Domain: f.domain, Pages: f.pages}
	var err error
	if r.Password, err = f.password(c); err != nil {
		return err
	}
	e, err := documentinstallation.EstimateFile(c.Context(), l, path, r, slog.New(slog.DiscardHandler))
	if err != nil {
		return files.In(path, err)
	}
	took := progress.Clock(time.Duration(e.Seconds * float64(time.Second)))
	if !e.Analyzed {
		return answer(c, f.asJSON, e, "%s, not read\nabout %s\n", progress.Count(e.PageCount, "page"), took)
	}
	scans := ""
	if e.ScannedPages > 0 {
		scans = fmt.Sprintf("%s without a text layer: their texts are assumed\n", progress.Count(e.ScannedPages, "scanned page"))
	}
	return answer(c, f.asJSON, e, "%s, %s of %d tokens, %s of %d tokens\n%s%d tokens sent, %d answered\nabout %s\n",
		progress.Count(e.PageCount, "page"), progress.Count(e.Paragraphs, "paragraph"), e.ParagraphTokens,
		progress.Count(e.Cells, "table cell"), e.CellTokens, scans, e.InputTokens, e.OutputTokens, took)
}
