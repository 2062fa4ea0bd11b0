package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	pdfcpu "github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/stretchr/testify/require"

	"plait/api/client"
	documentclient "plait/api/document/client"
	documentschema "plait/api/document/schema"
	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/pdf"
	"plait/internal/document/pdftest"
	"plait/internal/llmtest"
)

// paper is an installation with a model that translates into stand-ins, and with a client.
type paper struct {
	*sandbox
	api    *client.Client
	model  *llmtest.Server
	reader *pdf.Engine
}

func newPaper(t *testing.T, options ...llmtest.Option) paper {
	t.Helper()
	model := llmtest.New(t, append([]llmtest.Option{llmtest.WithTranslate(llmtest.StandIn("", 1))}, options...)...)
	in := newUnwatched(t, append(usingModel(model), "PLAIT_WORKER_TRANSLATE_SLOTS=4")...)
	address := in.up()
	key, err := os.ReadFile(filepath.Join(in.data, "api-key"))
	require.NoError(t, err)
	api, err := client.New(address, string(bytes.TrimSpace(key)))
	require.NoError(t, err)
	t.Cleanup(api.CloseIdleConnections)
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("plait-pdfium-%d", os.Getuid()))
	reader := pdf.New(pdf.Config{CacheDir: cache, Instances: 2})
	t.Cleanup(func() { require.NoError(t, reader.Close()) })
	return paper{in, api, model, reader}
}

// drawn is a PDF of some pages: each has a heading, a paragraph of two lines, and a table.
func drawn(pages int) []byte {
	b := pdftest.New()
	font := b.Helvetica()
	for n := 1; n <= pages; n++ {
		b.Outline(fmt.Sprintf("Chapter number %d", n), b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": font}, Content: fmt.Sprintf(`BT /F 18 Tf 72 720 Td (Chapter number %[1]d) Tj ET
BT /F 11 Tf 72 680 Td (This is the first line of the paragraph on page %[1]d, which is long enough) Tj
0 -14 Td (to need a second line, and which ends here.) Tj ET
0.5 w 72 600 m 400 600 l S 72 540 m 400 540 l S 72 540 m 72 600 l S 230 540 m 230 600 l S 320 540 m 320 600 l S 400 540 m 400 600 l S
BT /F 10 Tf 76 586 Td (Planet) Tj 160 0 Td (Moons) Tj 90 0 Td (Rings) Tj ET
BT /F 10 Tf 76 566 Td (Jupiter) Tj 160 0 Td (%[1]d00) Tj 90 0 Td (few) Tj ET
BT /F 10 Tf 76 546 Td (Saturn) Tj 160 0 Td (%[1]d50) Tj 90 0 Td (many) Tj ET`, n)}))
	}
	return b.Bytes()
}

// running is a PDF of some pages: each has a paragraph of its own, and ends with one that goes on on the next page.
func running(pages int) []byte {
	b := pdftest.New()
	font := b.Helvetica()
	for n := 1; n <= pages; n++ {
		var s strings.Builder
		if n > 1 {
			fmt.Fprintf(&s, "BT /F 11 Tf 72 760 Td (went over the break of the pages to number %d, where it came to) Tj 0 -14 Td (its end.) Tj ET ", n)
		}
		fmt.Fprintf(&s, "BT /F 11 Tf 72 640 Td (This is the first line of the paragraph on page %d, which is long) Tj 0 -14 Td (enough to need a second line, and which ends here.) Tj ET ", n)
		if n < pages {
			fmt.Fprintf(&s, "BT /F 11 Tf 72 100 Td (The tale of the lighthouse began at the foot of page number %d, and) Tj 0 -14 Td (then it) Tj ET", n)
		}
		b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": font}, Content: s.String()})
	}
	return b.Bytes()
}

// paragraph is the one that page n of running has for itself.
func paragraph(n int) string {
	return fmt.Sprintf("This is the first line of the paragraph on page %d, which is long enough to need a second line, and which ends here.", n)
}

// tale is the paragraph that begins on page n of running.
func tale(n int) string {
	return fmt.Sprintf("The tale of the lighthouse began at the foot of page number %d, and then it went over the break of the pages to number %d, where it came to its end.", n, n+1)
}

// write writes a file into the folder of the sandbox.
func (p paper) write(name string, file []byte) {
	p.t.Helper()
	require.NoError(p.t, os.WriteFile(filepath.Join(p.dir, name), file, 0o600))
}

// texts returns the text of each page of a file.
func (p paper) texts(file []byte) (texts []string) {
	p.t.Helper()
	f, err := p.reader.Open(p.t.Context(), bytes.NewReader(file), int64(len(file)), pdf.Options{})
	require.NoError(p.t, err)
	defer func() { require.NoError(p.t, f.Close()) }()
	for i := range f.Pages() {
		text, err := f.Text(p.t.Context(), i)
		require.NoError(p.t, err)
		texts = append(texts, strings.Join(strings.Fields(text), " "))
	}
	return texts
}

func (p paper) read(name string) []byte {
	p.t.Helper()
	file, err := os.ReadFile(filepath.Join(p.dir, name))
	require.NoError(p.t, err)
	return file
}

// bookmarks returns the titles of the bookmarks of a file.
func (p paper) bookmarks(file []byte) (titles []string) {
	p.t.Helper()
	list, err := pdfcpu.Bookmarks(bytes.NewReader(file), nil)
	require.NoError(p.t, err)
	for _, b := range list {
		titles = append(titles, b.Title)
	}
	return titles
}

// translated is the text of page n of drawn after its translation.
func translated(n int) []string {
	standIn := llmtest.StandIn("", 1)
	return []string{
		standIn(fmt.Sprintf("Chapter number %d", n)),
		standIn(paragraph(n)),
		standIn("Planet"), standIn("Jupiter"), standIn("many"), fmt.Sprintf("%d00", n),
	}
}

func (p paper) requireTranslated(text string, n int) {
	p.t.Helper()
	for _, part := range translated(n) {
		require.Contains(p.t, text, part)
	}
}

// A PDF goes through the command line and the API of one installation.
func TestDocuments(t *testing.T) {
	t.Parallel()
	p := newPaper(t)
	for _, test := range []func(paper){tableThreads, documentAtATerminal, documentWithAPassword, scannedDocument, documentPages, runningDocument, documentBothFiles, refusedDocuments, documentWithAPageThatFails,
		retriedDocument, pausedDocument, canceledDocument, canceledLayout} {
		test(p)
	}
}

// tableThreads is the first document of its installation: two paragraphs and three of seven cells are in the model at the same time, although the
// installation has four slots for texts and four for cells.
func tableThreads(p paper) {
	t := p.t
	const paragraphs, cells = 2, 3
	p.model.Next(slices.Repeat([]llmtest.Fault{llmtest.Hang()}, paragraphs+cells)...)
	id := p.create("table.pdf", drawn(1), documentclient.Request{From: "en", To: "da", TableThreads: cells})
	eventually(t, func() bool { return p.model.InFlight() == paragraphs+cells }, "the calls hang in the model")
	p.model.Release()
	task := documentschema.TaskOf(sums{sandbox: p.sandbox, api: p.api}.until(id, ended))
	require.Equal(t, core.StatusSuccess, task.Status)
	require.Equal(t, cells, task.Options.TableThreads)
	require.Equal(t, paragraphs+cells, p.model.MaxInFlight())
	var report document.Report
	require.NoError(t, p.api.Get(t.Context(), task.Links["report"], &report))
	require.Equal(t, [2]int{4, cells}, [2]int{report.Threads, report.TableThreads})
}

func documentAtATerminal(p paper) {
	t := p.t
	before := p.model.CallCount()
	p.write("paper.pdf", drawn(2))
	f := p.plait("translate", "paper.pdf", "--from", "en", "--to", "de")
	require.Zero(t, f.status, f.stdout+f.stderr)
	require.Contains(t, f.stdout, "2 of 2 pages in")
	require.Contains(t, f.stdout, "4 of 4 paragraphs translated")
	require.Contains(t, f.stdout, "14 of 18 table cells translated")
	require.Regexp(t, `translated with \d+ tokens in \d+:\d\d \(estimate: \d+ in \d+:\d\d; [+-]\d+ %, [+-]\d+ %\)`, f.stdout)
	require.Contains(t, f.stdout, "→ paper.de.pdf")
	texts := p.texts(p.read("paper.de.pdf"))
	require.Len(t, texts, 2)
	p.requireTranslated(texts[0], 1)
	p.requireTranslated(texts[1], 2)
	require.Equal(t, []string{translated(1)[0], translated(2)[0]}, p.bookmarks(p.read("paper.de.pdf")))

	task := regexp.MustCompile(`task (\S+)`).FindStringSubmatch(f.stdout)[1]
	f = p.plait("get", task, "-o", "again.pdf")
	require.Zero(t, f.status, f.stderr)
	require.Equal(t, p.read("paper.de.pdf"), p.read("again.pdf"))
	calls := p.model.CallCount()
	require.Equal(t, 2*(2+7), calls-before, "two pages with two paragraphs and seven cells that have a letter")
	require.Zero(t, p.plait("translate", "paper.pdf", "--from", "en", "--to", "de").status)
	require.Equal(t, calls, p.model.CallCount(), "the same command is the same task")

	f = p.plait("estimate", "paper.pdf", "--from", "en", "--to", "de")
	require.Zero(t, f.status, f.stderr)
	require.Regexp(t, `^2 pages, 4 paragraphs of \d+ tokens, 14 table cells of \d+ tokens\n\d+ tokens sent, \d+ answered\nabout `, f.stdout)
	require.Equal(t, calls, p.model.CallCount(), "an estimate calls no model")

	item, err := p.api.Item(t.Context(), task, 1)
	require.NoError(t, err)
	page := documentschema.PageOf(item)
	require.Equal(t, 2, page.Number)
	require.Equal(t, document.Count{Total: 2, Translated: 2}, page.Paragraphs)
	require.Equal(t, document.Count{Total: 9, Translated: 7, SkippedNoText: 2}, page.Cells)
	require.Equal(t, translated(2)[0], page.Texts[0].Translation)
}

func documentWithAPassword(p paper) {
	locked, err := pdftest.Encrypt(drawn(1), "secret", "owner")
	require.NoError(p.t, err)
	p.write("locked.pdf", locked)
	p.write("password", []byte("secret\n"))
	f := p.plait("estimate", "locked.pdf", "--to", "de", "--password-file", "password")
	require.Zero(p.t, f.status, f.stderr)
	require.Contains(p.t, f.stdout, "2 paragraphs")
	f = p.plait("translate", "locked.pdf", "--to", "de", "--password-file", "password")
	require.Zero(p.t, f.status, f.stdout+f.stderr)
	p.requireTranslated(p.texts(p.read("locked.de.pdf"))[0], 1)
}

// scannedDocument is a page that is a picture of the first page of drawn.
func scannedDocument(p paper) {
	t := p.t
	original := drawn(1)
	f, err := p.reader.Open(t.Context(), bytes.NewReader(original), int64(len(original)), pdf.Options{})
	require.NoError(t, err)
	shown, _, err := f.Render(t.Context(), 0, 200)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	b := pdftest.New()
	b.Page(pdftest.Page{XObjects: map[string]pdftest.Ref{"I": b.Picture(shown)}, Content: "595 0 0 842 0 0 cm /I Do"})
	p.write("scan.pdf", b.Bytes())
	estimate := p.plait("estimate", "scan.pdf", "--from", "en", "--to", "de", "--document-estimate-scan-paragraphs", "7")
	require.Contains(t, estimate.stdout, "1 page, 7 paragraphs of 540 tokens, 0 table cells of 0 tokens\n1 scanned page without a text layer: their texts are assumed\n", estimate.stderr)
	run := p.plait("translate", "scan.pdf", "--from", "en", "--to", "de")
	require.Zero(t, run.status, run.stdout+run.stderr)
	require.Contains(t, run.stdout, "2 of 2 paragraphs translated")
	text := strings.ReplaceAll(p.texts(p.read("scan.de.pdf"))[0], "\u00ad", "") // a reader joins hyphenated words
	for _, part := range translated(1)[:5] {
		require.Contains(t, text, part)
	}
}

func documentPages(p paper) {
	t := p.t
	p.write("long.pdf", drawn(4))
	f := p.plait("translate", "long.pdf", "--to", "de", "--pages", "2,4-", "--mode", "serial", "--output", "dual", "--dual", "side_by_side", "-o", "some.pdf")
	require.Zero(t, f.status, f.stdout+f.stderr)
	require.Contains(t, f.stdout, "2 of 2 pages in")
	texts := p.texts(p.read("some.pdf"))
	require.Len(t, texts, 4)
	p.requireTranslated(texts[1], 2)
	require.Contains(t, texts[1], "Chapter number 2", "the original is beside the translation")
	require.NotContains(t, texts[0], translated(1)[0])
	p.requireTranslated(texts[3], 4)
}

// runningDocument has paragraphs over two pages: each is one call, one text of the report, and is set on both pages.
func runningDocument(p paper) {
	t := p.t
	before := p.model.CallCount()
	task := p.post("running.pdf", running(3), documentclient.Request{From: "en", To: "nl"})
	require.Equal(t, core.StatusSuccess, task.Status)
	require.Equal(t, document.Count{Total: 5, Translated: 5}, task.Details.Paragraphs)
	calls := p.model.Calls()[before:]
	require.Len(t, calls, 5)
	for n := 1; n < 3; n++ {
		asked := slices.DeleteFunc(slices.Clone(calls), func(c llmtest.Call) bool { return !strings.Contains(c.User, tale(n)) })
		require.NotEmpty(t, asked, "page %d", n)
	}
	var result bytes.Buffer
	require.NoError(t, p.api.Result(t.Context(), task.ID, &result))
	texts := p.texts(result.Bytes())
	standIn := llmtest.StandIn("", 1)
	for n := 1; n < 3; n++ {
		_, foot, _ := strings.Cut(texts[n-1], standIn(paragraph(n)))
		head, _, _ := strings.Cut(texts[n], standIn(paragraph(n+1)))
		require.NotEmpty(t, strings.TrimSpace(foot))
		require.NotEmpty(t, strings.TrimSpace(head))
		require.Equal(t, standIn(tale(n)), strings.TrimSpace(foot)+" "+strings.TrimSpace(head))
	}
	p.write("running.pdf", running(3))
	f := p.plait("estimate", "running.pdf", "--from", "en", "--to", "nl")
	require.Contains(t, f.stdout, "3 pages, 5 paragraphs")
}

func documentBothFiles(p paper) {
	t := p.t
	task := p.post("both.pdf", drawn(1), documentclient.Request{From: "en", To: "de", Output: document.OutputBoth})
	require.Equal(t, core.StatusSuccess, task.Status)
	var result bytes.Buffer
	require.NoError(t, p.api.Result(t.Context(), task.ID, &result))
	archive, err := zip.NewReader(bytes.NewReader(result.Bytes()), int64(result.Len()))
	require.NoError(t, err)
	pages := map[string]int{}
	for _, f := range archive.File {
		r, err := f.Open()
		require.NoError(t, err)
		file, err := io.ReadAll(r)
		require.NoError(t, err)
		pages[f.Name] = len(p.texts(file))
	}
	require.Equal(t, map[string]int{"both.de.pdf": 1, "both.de.dual.pdf": 2}, pages)
}

// post posts a request and waits for the end of its task.
func (p paper) post(name string, file []byte, r documentclient.Request) documentschema.Task {
	p.t.Helper()
	return documentschema.TaskOf(sums{sandbox: p.sandbox, api: p.api}.until(p.create(name, file, r), ended))
}

func refusedDocuments(p paper) {
	locked, err := pdftest.Encrypt(drawn(1), "secret", "owner")
	require.NoError(p.t, err)
	p.write("guess", []byte("password\n"))
	for name, c := range map[string]struct {
		file []byte
		args []string
		want string
	}{
		"empty.pdf":  {nil, nil, "empty"},
		"cut.pdf":    {drawn(1)[:200], nil, "not a PDF"},
		"letter.pdf": {[]byte("Dear reader"), nil, "not a PDF"},
		"locked.pdf": {locked, nil, "needs its password"},
		"wrong.pdf":  {locked, []string{"--password-file", "guess"}, "does not open"},
		"absent.pdf": {locked, []string{"--password-file", "nowhere"}, "nowhere"},
		"beyond.pdf": {drawn(2), []string{"--pages", "3"}, "beyond the 2 pages"},
		"ranges.pdf": {drawn(2), []string{"--pages", "2-1"}, "1-3,7,12-"},
		"domain.pdf": {drawn(1), []string{"--domain", "law"}, "domain"},
		"strict.pdf": {drawn(1), []string{"--strict"}, "--strict is not for a PDF"},
		"both.pdf":   {drawn(1), []string{"--output", "both", "-o", "out.pdf"}, "a .zip file"},
		"mono.pdf":   {drawn(1), []string{"-o", "out.zip"}, "a .pdf file"},
	} {
		p.write(name, c.file)
		f := p.plait(append([]string{"translate", name, "--to", "de"}, c.args...)...)
		require.NotZero(p.t, f.status, name)
		require.Contains(p.t, f.stderr, c.want, name)
		require.NotContains(p.t, strings.TrimSpace(f.stderr), "\n\n", name)
	}
}

func documentWithAPageThatFails(p paper) {
	t := p.t
	b := pdftest.New()
	font := b.Helvetica()
	for _, width := range []float64{600, 20000} { // the second page is larger than 200 inches
		b.Page(pdftest.Page{Width: width, Height: 800, Fonts: map[string]pdftest.Ref{"F": font}, Content: "BT /F 11 Tf 72 680 Td (These words are the text of the page.) Tj ET"})
	}
	task := p.post("large.pdf", b.Bytes(), documentclient.Request{From: "en", To: "de"})
	require.Equal(t, core.StatusPartial, task.Status)
	require.Equal(t, core.CodeTooLarge, task.Items[1].Failure.Code)
	var result bytes.Buffer
	require.NoError(t, p.api.Result(t.Context(), task.ID, &result))
	texts := p.texts(result.Bytes())
	require.Equal(t, llmtest.StandIn("", 1)("These words are the text of the page."), texts[0])
	require.Equal(t, "These words are the text of the page.", texts[1])
}

// retriedDocument has a page whose call is refused. The other page asks for the paragraph that both have, and a retry asks for the rest.
func retriedDocument(p paper) {
	t := p.t
	before := p.model.CallCount()
	p.model.Next(llmtest.Status(http.StatusUnauthorized))
	task := p.post("retried.pdf", running(2), documentclient.Request{From: "en", To: "it", Mode: document.ModeSerial})
	require.Equal(t, core.StatusPartial, task.Status)
	failed := slices.IndexFunc(task.Items, func(i schema.Item) bool { return i.Status == core.StatusError })
	require.Equal(t, core.CodeTranslatorRefused, task.Items[failed].Failure.Code)
	require.Equal(t, core.StatusSuccess, task.Items[1-failed].Status)
	_, err := p.api.Retry(t.Context(), task.ID)
	require.NoError(t, err)
	task = documentschema.TaskOf(sums{sandbox: p.sandbox, api: p.api}.until(task.ID, ended))
	require.Equal(t, core.StatusSuccess, task.Status)
	require.Equal(t, document.Count{Total: 3, Translated: 3}, task.Details.Paragraphs)
	require.Equal(t, 1+3, p.model.CallCount()-before, "the refused call, and one for each paragraph")
	var result bytes.Buffer
	require.NoError(t, p.api.Result(t.Context(), task.ID, &result))
	standIn := llmtest.StandIn("", 1)
	require.Equal(t, standIn(paragraph(1))+" "+standIn(tale(1))+" "+standIn(paragraph(2)), strings.Join(p.texts(result.Bytes()), " "))
}

// pausedDocument is paused while a call hangs in the model: no page goes on, and after the pause nothing is asked again.
func pausedDocument(p paper) {
	t := p.t
	before := p.model.CallCount()
	p.model.Next(llmtest.Hang())
	id := p.create("paused.pdf", running(8), documentclient.Request{From: "en", To: "pt", Mode: document.ModeSerial})
	eventually(t, func() bool { return p.model.InFlight() > 0 }, "a call hangs in the model")
	_, err := p.api.Pause(t.Context(), id)
	require.NoError(t, err)
	p.model.Release()
	task := sums{sandbox: p.sandbox, api: p.api}
	paused := task.until(id, func(schema.Task) bool { return p.model.InFlight() == 0 })
	require.Equal(t, core.StatusPaused, paused.Status)
	require.Less(t, paused.Progress.Done, 8)
	_, err = p.api.Resume(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, core.StatusSuccess, task.until(id, ended).Status)
	require.Equal(t, 8+7, p.model.CallCount()-before, "one call for each paragraph")
}

// create posts a request and returns the id of its task.
func (p paper) create(name string, file []byte, r documentclient.Request) string {
	p.t.Helper()
	r.Files = []client.File{{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil }}}
	created, err := p.api.Create(p.t.Context(), r.Request())
	require.NoError(p.t, err)
	return created.ID
}

// canceledLayout is canceled while its pages are laid out: the page in the engine ends, and no other one begins.
func canceledLayout(p paper) {
	t := p.t
	id := p.create("layout.pdf", drawn(80), documentclient.Request{From: "en", To: "sv"})
	records := p.database(p.located())
	eventually(t, func() bool {
		var running bool
		require.NoError(t, records.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM stage_run WHERE task_id = $1 AND stage = 'layout')`, id).Scan(&running))
		return running
	}, "a page is laid out")
	_, err := p.api.Cancel(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, core.StatusCanceled, sums{sandbox: p.sandbox, api: p.api}.until(id, ended).Status)
	var begun, late int
	require.NoError(t, records.QueryRow(t.Context(), `SELECT count(DISTINCT r.item_index), count(*) FILTER (WHERE r.started_at > t.ended_at)
		FROM task t JOIN stage_run r ON r.task_id = t.id WHERE t.id = $1`, id).Scan(&begun, &late))
	require.Less(t, begun, 80)
	require.Zero(t, late)
}

func canceledDocument(p paper) {
	t := p.t
	p.model.Next(llmtest.Hang())
	created := p.create("long.pdf", drawn(30), documentclient.Request{From: "en", To: "fr"})
	eventually(t, func() bool { return p.model.InFlight() > 0 }, "a call hangs in the model")
	_, err := p.api.Cancel(t.Context(), created)
	require.NoError(t, err)
	require.Equal(t, core.StatusCanceled, sums{sandbox: p.sandbox, api: p.api}.until(created, ended).Status)
}

// Workers that are killed in the layout, in the translation, and while pages are typeset cost no answered call again, and the result has the
// bytes of a calm run.
func TestADocumentSurvivesTheDeathOfItsWorkers(t *testing.T) {
	t.Parallel()
	p := newPaper(t)
	const pages, slots = 6, 4
	p.write("paper.pdf", running(pages))
	p.model.Next(llmtest.All(), llmtest.All(), llmtest.All(), llmtest.Hang())
	cmd, events := p.start("translate", "paper.pdf", "--from", "en", "--to", "de", "-o", "storm.pdf")
	go drain(events)
	records := p.database(p.located())
	killIn := func(stage core.Stage) {
		eventually(t, func() bool {
			var running bool
			err := records.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM stage_run WHERE stage = $1)`, stage).Scan(&running)
			require.NoError(t, err)
			return running
		}, "a page is in "+string(stage))
		worker := workerOf(t, p.owner)
		require.NoError(t, syscall.Kill(worker, syscall.SIGKILL))
		eventually(t, func() bool { return workerOf(t, p.owner) != worker }, "another worker runs")
	}
	killIn(document.StageLayout)
	eventually(t, func() bool { return p.model.CallCount() >= 4 }, "a call hangs in the model")
	killIn(document.StageTranslate)
	killIn(document.StageTypeset)
	require.NoError(t, cmd.Wait())
	asked := map[string]int{}
	for _, call := range p.model.Calls() {
		asked[call.User]++
	}
	require.LessOrEqual(t, p.model.CallCount()-len(asked), 2*slots, "only the calls that were in the model are asked again")

	before := p.model.CallCount()
	f := p.plait("translate", "paper.pdf", "--from", "en", "--to", "de", "--again", "-o", "calm.pdf")
	require.Zero(t, f.status, f.stdout+f.stderr)
	require.Equal(t, before, p.model.CallCount(), "the answers are recorded")
	require.Equal(t, p.read("calm.pdf"), p.read("storm.pdf"))
}
