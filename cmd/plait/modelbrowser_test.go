package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
	"plait/internal/records"
)

// A person has a model translate a book, which first lies, and asks it for other translations, and keeps a glossary for it. The console of the browser stays empty, and axe
// finds nothing.
func TestThePageWithAModel(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	var silent sync.RWMutex // locked while the model answers nothing
	model := llmtest.New(t, llmtest.WithTranslate(func(string) string {
		silent.RLock()
		defer silent.RUnlock()
		return "It was a quiet night by the sea, part " + fmt.Sprint(n.Add(1)) + "."
	}), llmtest.WithFaults(llmtest.Missing(1), llmtest.Status(http.StatusServiceUnavailable)))
	s := &site{sandbox: newUnwatched(t, append(usingModel(model), "PLAIT_HTTP_ADDRESS="+freeAddress(t))...)}
	b := openBrowser(t)
	defer b.saidNothing()
	b.do(chromedp.Navigate(s.start()))
	b.choose("#files", smallBook(t))
	b.shows("3 pages")
	b.set("form select", "ja")
	b.press("Estimate tokens, cost and time")
	b.shows("Tokens")
	b.accessible()
	b.screen("estimate")
	b.press("Translate")
	b.until(pageCards + `.filter((c) => c.dataset.status === "success").length === 3`)
	alternatives(b, s)
	glossaries(b, s, model)
	searchAndReplace(b, s)
	waitInLine(b, s, &silent)
}

// waitInLine is a tenant whose tier allows one task at a time: the page says where in the queue the others are. The languages of the last book are
// those of the next.
func waitInLine(b *browser, s *site, silent *sync.RWMutex) {
	f := s.plait("tiers", "set", records.DefaultTier, "--running-tasks", "1")
	require.Zero(b.t, f.status, f.stderr)
	silent.Lock()
	const to = `document.querySelectorAll("form select")[1].value`
	for n, says := range []string{"0 of 3 pages", "Next in the queue", "Number 2 in the queue"} {
		b.visit("#/")
		b.choose("#files", smallBook(b.t.(*testing.T)))
		b.shows("3 pages")
		if n == 0 {
			b.until(`document.querySelector("form select").value === "ja" && ` + to + ` === "en"`)
			b.do(chromedp.Evaluate(`{ const to = document.querySelectorAll("form select")[1]; to.value = "de"; to.dispatchEvent(new Event("change", { bubbles: true })); }`, nil))
		}
		b.until(`document.querySelector("form select").value === "ja" && ` + to + ` === "de"`)
		b.press("Translate")
		b.until(`location.hash.startsWith("#/tasks/")`)
		b.shows(says)
	}
	b.everyWay("queued", "Number 2 in the queue", "队列中第 2 位")
	silent.Unlock()
	b.shows("Download CBZ")
}

// alternatives asks for other translations of the first text, takes one by a click and another by its key, and takes that back.
func alternatives(b *browser, s *site) {
	b.do(chromedp.Evaluate(pageCards+`[0].querySelector("a").click()`, nil))
	b.until(fmt.Sprintf(`document.querySelector(%q)`, firstText))
	item := "/v1/tasks/" + strings.Split(b.hash(), "/")[2] + "/items/0"
	before := textOf(s, item)
	b.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).focus()`, firstText), nil))
	b.press("Other translations")
	b.until(`document.querySelector("[data-alternatives='3']")`)
	b.accessible()
	b.screen("alternatives")
	shown := func(n int) (text string) {
		b.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelectorAll("[data-alternatives] li span")[%d].innerText`, n), &text))
		return text
	}
	taken := func(text string) {
		b.t.Helper()
		b.until(fmt.Sprintf(`document.querySelector(%q).value === %s`, firstText, quoted(text)))
		b.until(textState("saved"))
		b.until(allSaved)
		require.Equal(b.t, text, textOf(s, item))
	}
	b.do(chromedp.Evaluate(`document.querySelectorAll("[data-alternatives] li button")[1].click()`, nil))
	taken(shown(1))
	b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil))
	b.do(chromedp.Evaluate(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "3", code: "Digit3", altKey: true, bubbles: true, cancelable: true }))`, nil))
	taken(shown(2))
	for range 2 { // they are one step if they were close together
		b.do(chromedp.Evaluate(`document.querySelector('aside [aria-label="Undo"]:not(:disabled)')?.click()`, nil))
	}
	taken(before)
	b.do(chromedp.KeyEvent("a"))
	b.until(`document.querySelector("[data-alternatives='6']")`)
	b.reload()
	b.until(fmt.Sprintf(`document.querySelector(%q)`, firstText))
	b.do(chromedp.KeyEvent("j"))
	b.until(`document.querySelector("[data-alternatives='6']")`)
	b.everyWay("page", "More translations", "更多译法")
}
