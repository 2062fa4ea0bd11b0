package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
)

// glossaries edits the glossary of a book, and that of all books, in two tabs and without a connection. The model is told of it.
func glossaries(b *browser, s *site, model *llmtest.Server) {
	task := bookWithAName(b, s)
	b.press("Glossary")
	b.shows("There are no entries.")
	b.accessible()
	own, all := glossaryPage{b, s, "task", "/v1/tasks/" + task + "/glossary"}, glossaryPage{b, s, "tenant", "/v1/glossaries/en"}

	// A suggestion is taken over, and changed.
	b.press("Take over ランプ")
	own.is("ランプ", "Lamp")
	b.shows("There are no suggestions.")
	own.write("ランプ", "Lantern")
	own.is("ランプ", "Lantern")

	// An entry is added by keys. It can be no other entry of a known term.
	b.set("[name=scope]", "tenant")
	b.set("[name=target]", "sea")
	b.set("[name=source]", "海")
	b.do(chromedp.KeyEvent("\r"))
	all.is("海", "sea")
	b.set("[name=source]", "海")
	b.shows("There is an entry of this term.")
	b.set("[name=source]", "")
	b.screen("glossary")
	b.reload()
	own.is("ランプ", "Lantern")
	all.is("海", "sea")

	twoTabs(own)
	withoutConnection(own)
	removed(all)
	narrow(b)
	tellsTheModel(b, model)
}

// bookWithAName translates two pages on which one term has the same translation, and shows the book.
func bookWithAName(b *browser, s *site) (task string) {
	dir := b.t.(*testing.T).TempDir()
	page, err := os.ReadFile(filepath.Join(example("chapter"), "02.png"))
	require.NoError(b.t, err)
	for _, name := range []string{"1.png", "2.png"} {
		require.NoError(b.t, os.WriteFile(filepath.Join(dir, name), page, 0o600))
	}
	b.press("New book")
	b.choose("#files", zipOf(b.t.(*testing.T), dir, "1.png", "2.png"))
	b.shows("2 pages")
	b.set("form select", "ja")
	b.press("Translate")
	b.until(pageCards + `.filter((c) => c.dataset.status === "success").length === 2`)
	task = strings.Split(b.hash(), "/")[2]
	for n := range 2 {
		for i, text := range textsOf(s, fmt.Sprintf("/v1/tasks/%s/items/%d", task, n)) {
			if strings.Contains(text["source"].(string), "ランプ") {
				status, answer := s.ask(http.MethodPatch, fmt.Sprintf("/v1/comic/translations/%s/items/%d/regions", task, n),
					fmt.Sprintf(`{"regions": [{"region_index": %d, "translation": "Lamp won't say a word."}]}`, i))
				require.Equal(b.t, http.StatusAccepted, status, "%v", answer)
			}
		}
	}
	return task
}

// glossaryPage is a glossary on the page, and on the server.
type glossaryPage struct {
	*browser
	s        *site
	of, path string
}

func (g glossaryPage) row(term string) string {
	return fmt.Sprintf(`[data-glossary=%s] [data-term="%s"]`, g.of, term)
}

func (g glossaryPage) target(term string) string {
	return g.row(term) + " .field:nth-of-type(2) input"
}

// write changes the translation of a term.
func (g glossaryPage) write(term, target string) {
	g.t.Helper()
	g.set(g.target(term), target)
}

// is waits until the page shows that an entry is saved, and checks that the server has it.
func (g glossaryPage) is(term, target string) {
	g.t.Helper()
	g.state(term, "saved")
	g.until(fmt.Sprintf(`document.querySelector(%s)?.value === %s`, quoted(g.target(term)), quoted(target)))
	require.Equal(g.t, target, g.kept()[term])
}

func (g glossaryPage) state(term, state string) {
	g.t.Helper()
	g.until(fmt.Sprintf(`document.querySelector(%s)?.dataset.state === %q`, quoted(g.row(term)), state))
}

// kept are the translations of the glossary on the server, by their terms.
func (g glossaryPage) kept() map[string]any {
	g.t.Helper()
	_, answer := g.s.ask(http.MethodGet, g.path, "")
	targets := map[string]any{}
	for _, e := range answer["entries"].([]any) {
		entry := e.(map[string]any)
		targets[entry["source"].(string)] = entry["target"]
	}
	return targets
}

// twoTabs change one entry: the second is told, and decides.
func twoTabs(g glossaryPage) {
	other := g
	other.browser = g.tab()
	defer other.saidNothing()
	var here string
	g.do(chromedp.Evaluate("location.href", &here))
	other.do(chromedp.Navigate(here))
	other.is("ランプ", "Lantern")
	other.write("ランプ", "Beacon")
	other.is("ランプ", "Beacon")

	conflict := func(g glossaryPage, mine, theirs string) {
		g.expectFailures(true) // the browser logs the conflict as a failed request
		g.write("ランプ", mine)
		g.state("ランプ", "conflict")
		g.shows("Somebody has changed this entry meanwhile")
		g.shows("ランプ → " + theirs)
		g.shows("Not all entries are saved")
		g.expectFailures(false)
	}
	conflict(g, "Light", "Beacon")
	g.accessible()
	g.screen("glossary-conflict")
	g.press("Keep mine")
	g.is("ランプ", "Light")
	conflict(other, "Torch", "Light")
	other.press("Take theirs")
	other.is("ランプ", "Light")
}

// withoutConnection changes an entry while the server cannot be reached, and reloads the page after that: the change is kept and sent.
func withoutConnection(g glossaryPage) {
	connected := func(is bool) chromedp.Action { return network.EmulateNetworkConditions(!is, 0, -1, -1) }
	g.expectFailures(true)
	g.do(network.Enable(), connected(false))
	g.write("ランプ", "Lighthouse lamp")
	g.state("ランプ", "waiting")
	g.shows("Kept in this browser until the server answers")
	require.Equal(g.t, "Light", g.kept()["ランプ"])
	g.do(connected(true))
	g.is("ランプ", "Lighthouse lamp")
	g.until(`!document.body.innerText.includes("The server does not answer")`)
	g.expectFailures(false)
}

// removed takes an entry away, and back, and away.
func removed(g glossaryPage) {
	g.press("Remove 海")
	g.shows("海 is removed")
	g.state("海", "saved")
	require.Empty(g.t, g.kept())
	g.accessible()
	g.press("Bring it back: 海")
	g.is("海", "sea")
	g.press("Remove 海")
	g.shows("海 is removed")
	g.state("海", "saved")
	g.reload()
	g.until(`document.querySelector("[data-glossary=tenant] .note")`)
	require.Empty(g.t, g.kept())
}

// narrow shows the glossary in Chinese, in a window of 360 pixels.
func narrow(b *browser) {
	b.do(emulation.SetDeviceMetricsOverride(360, 740, 1, false))
	language := `{ const e = [...document.querySelectorAll("header select")][0]; e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true })); }`
	b.do(chromedp.Evaluate(fmt.Sprintf(language, "zh-Hans"), nil))
	b.shows("所有译成英语的书")
	b.until(`document.documentElement.scrollWidth <= 360`)
	b.accessible()
	b.screen("glossary-narrow")
	b.do(chromedp.Evaluate(fmt.Sprintf(language, "en"), nil), emulation.ClearDeviceMetricsOverride())
	b.shows("Of all books in English")
}

// tellsTheModel checks that the model gets the entry with a text from then on.
func tellsTheModel(b *browser, model *llmtest.Server) {
	b.press("← Back to the book")
	b.until(pageCards + `[0]?.querySelector("a")`)
	b.do(chromedp.Evaluate(pageCards+`[0].querySelector("a").click()`, nil))
	text := `[...document.querySelectorAll("[data-region]")].find((e) => e.innerText.includes("ランプ"))`
	b.until(text)
	b.do(chromedp.Evaluate(text+`.querySelector("textarea").focus()`, nil))
	b.press("Other translations")
	eventually(b.t, func() bool {
		calls := model.Calls()
		return strings.Contains(calls[len(calls)-1].User, "ランプ = Lighthouse lamp")
	}, "the model is told")
}

// searchAndReplace changes a word in all texts of a book at once.
func searchAndReplace(b *browser, s *site) {
	task := strings.Split(b.hash(), "/")[2]
	b.press("Back to the book")
	b.press("Texts")
	b.until(`document.querySelector("li textarea")?.spellcheck`)
	b.set("input[type=search]", "Lamp")
	b.shows("2 texts")
	b.set("form label:nth-of-type(2) input", "Torch")
	b.press("Replace in 2 texts")
	b.shows("2 texts are saved.")
	b.accessible()
	for n := range 2 {
		script := fmt.Sprint(textsOf(s, fmt.Sprintf("/v1/tasks/%s/items/%d", task, n)))
		require.Contains(b.t, script, "Torch won't say a word.")
		require.NotContains(b.t, script, "Lamp won't say")
	}
}
