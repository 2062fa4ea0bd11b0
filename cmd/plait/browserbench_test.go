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

// BenchmarkEditInABrowser measures how long after the last key of an edit the browser has the new picture of the page: of the first edit of a
// page, and of later ones.
func BenchmarkEditInABrowser(b *testing.B) {
	s := &site{sandbox: newUnwatched(b, "PLAIT_HTTP_ADDRESS="+freeAddress(b))}
	link := s.start()
	tab := openBrowser(b)
	tab.do(chromedp.Navigate(link))
	tab.shows("Drop a book here")
	f := s.plait("translate", example("chapter"), "--from", "ja", "--to", "en", "--script", example("script.en.json"),
		"-o", filepath.Join(s.dir, "out.cbz"))
	require.Zero(b, f.status, "%s%s", f.stdout, f.stderr)
	tab.reload()
	tab.until(`document.querySelector("main a[href*='#/tasks/']")`)
	tab.do(chromedp.Evaluate(`document.querySelector("main a[href*='#/tasks/']").click()`, nil))
	tab.until(pageCards + `.length === 6`)
	hash := tab.hash()
	var first, later []float64
	for i := range 3 {
		tab.do(chromedp.Evaluate(fmt.Sprintf("location.hash = %q", fmt.Sprintf("%s/pages/%d", hash, i)), nil))
		for n := range 6 {
			tab.until(`document.querySelector('[data-region="0"]')?.dataset.state === "saved" && ` + allSaved)
			var took float64
			tab.do(chromedp.Evaluate(fmt.Sprintf(shownAfter, quoted(fmt.Sprintf("Edit %d of page %d", n, i))), &took, awaited))
			if n == 0 {
				first = append(first, took)
			} else {
				later = append(later, took)
			}
		}
	}
	benchtest.Write(b, nil, map[string]any{"case": "edit", "first_ms": median(first), "later_ms": median(later)})
}
