package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
)

// shownAfter changes the first text of the page that a browser shows, and returns after how many milliseconds the browser has the picture
// with it.
const shownAfter = `(async () => {
	const before = performance.getEntriesByType("resource").filter((e) => e.name.includes("/result?version=")).length;
	const field = document.querySelector('[data-region="0"] textarea');
	field.value = %s;
	field.dispatchEvent(new Event("input", { bubbles: true }));
	const from = performance.now();
	for (;;) {
		const shown = performance.getEntriesByType("resource").filter((e) => e.name.includes("/result?version="));
		if (shown.length > before) return shown.at(-1).responseEnd - from;
		await new Promise(requestAnimationFrame);
	}
})()`

// writing is how long a person takes from the choice of a text to the last key, in milliseconds: some words.
const writing = 1000

// BenchmarkEditInABrowser measures how long after the last key of an edit the browser has the new picture of the page: of the first edit of a
// page that was not prepared, of the first edit after a person has chosen the text, which prepares the page, and of later ones. Both kinds of
// pages take turns.
func BenchmarkEditInABrowser(b *testing.B) {
	s := &site{sandbox: newUnwatched(b, "PLAIT_HTTP_ADDRESS="+freeAddress(b))}
	link := s.start()
	tab := openBrowser(b)
	tab.do(chromedp.Navigate(link))
	tab.shows("Drop a book here")
	took := map[string][]float64{}
	for n := range 2 {
		f := s.plait("translate", example("chapter"), "--from", "ja", "--to", "en", "--script", example("script.en.json"), "--again",
			"-o", filepath.Join(s.dir, fmt.Sprintf("%d.cbz", n)))
		require.Zero(b, f.status, "%s%s", f.stdout, f.stderr)
		tab.do(chromedp.Evaluate(`location.hash = "#/"`, nil))
		tab.until(fmt.Sprintf(`document.querySelectorAll("main a[href*='#/tasks/']").length === %d`, n+1))
		tab.do(chromedp.Evaluate(`document.querySelector("main a[href*='#/tasks/']").click()`, nil))
		tab.until(pageCards + `.length === 6`)
		hash := tab.hash()
		for i := range 4 {
			tab.do(chromedp.Evaluate(fmt.Sprintf("location.hash = %q", fmt.Sprintf("%s/pages/%d", hash, i)), nil))
			tab.until(fmt.Sprintf(`performance.getEntriesByType("resource").some((e) => e.name.includes("/items/%d/result?version="))`, i))
			tab.editPage(i, (i+n)%2 == 0, took)
			tab.do(chromedp.Evaluate(`performance.clearResourceTimings()`, nil)) // the browser keeps 250
		}
	}
	benchtest.Write(b, nil, map[string]any{
		"case": "edit", "first_ms": median(took["first"]), "first_prepared_ms": median(took["prepared"]), "later_ms": median(took["later"]),
		"all_first_ms": took["first"], "all_first_prepared_ms": took["prepared"],
	})
}

// editPage edits the page that is shown four times, and adds how long each edit took.
func (b *browser) editPage(page int, prepared bool, took map[string][]float64) {
	b.t.Helper()
	for n := range 4 {
		b.until(`document.querySelector('[data-region="0"]')?.dataset.state === "saved" && ` + allSaved)
		kind := "later"
		if n == 0 && prepared {
			kind = "prepared"
			b.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).focus(); new Promise((done) => setTimeout(done, %d))`, firstText, writing), nil, awaited))
		} else if n == 0 {
			kind = "first"
		}
		var ms float64
		b.do(chromedp.Evaluate(fmt.Sprintf(shownAfter, quoted(fmt.Sprintf("Edit %d of page %d", n, page))), &ms, awaited))
		took[kind] = append(took[kind], ms)
		b.t.Logf("page %d, %s edit: %.0f ms", page, kind, ms)
	}
}
