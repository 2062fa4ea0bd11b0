package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// readers read a page that was edited: its screen, and the editor of its texts.
const readers = 2

// gate stands between the page and the server. It holds what a test tells it to, and lets everything else pass.
type gate struct {
	b  *browser
	mu sync.Mutex
	// next has room for the requests of a method that are to be held.
	next map[string]chan fetch.RequestID
}

// newGate stands before requests to edit the first page, and behind the answers of those that read it.
func newGate(b *browser) *gate {
	b.t.Helper()
	g := &gate{b: b, next: map[string]chan fetch.RequestID{}}
	chromedp.ListenTarget(b.ctx, func(event any) {
		paused, ok := event.(*fetch.EventRequestPaused)
		if !ok {
			return
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		select {
		case g.next[paused.Request.Method] <- paused.RequestID:
			return
		default:
		}
		go func() { _ = chromedp.Run(b.ctx, fetch.ContinueRequest(paused.RequestID)) }() // the tab may be closed meanwhile
	})
	b.do(fetch.Enable().WithPatterns([]*fetch.RequestPattern{
		{URLPattern: "*/items/0/regions", RequestStage: fetch.RequestStageRequest},
		{URLPattern: "*/items/0", RequestStage: fetch.RequestStageResponse},
	}))
	return g
}

// hold holds the next n requests of a method. The function that is returned waits for them, and returns what lets them go on.
func (g *gate) hold(method string, n int) (wait func() (release func())) {
	held := make(chan fetch.RequestID, n)
	g.mu.Lock()
	g.next[method] = held
	g.mu.Unlock()
	return func() func() {
		g.b.t.Helper()
		eventuallySaying(g.b.t, func() bool { return len(held) == n }, func() string { return "the page sends no such request: " + method + "\n" + g.b.text() })
		g.mu.Lock()
		delete(g.next, method)
		g.mu.Unlock()
		return func() {
			g.b.t.Helper()
			for range n {
				g.b.do(fetch.ContinueRequest(<-held))
			}
		}
	}
}

// itemsRead counts the answers about the first page that the page has read.
const itemsRead = `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/items/0") && e.responseEnd > 0).length`

// answered lets answers about the first page go on, and returns when the page has read them.
func (b *browser) answered(release func()) {
	b.t.Helper()
	var before int
	b.do(chromedp.Evaluate(itemsRead, &before))
	release()
	b.until(fmt.Sprintf("%s >= %d", itemsRead, before+readers))
	b.do(chromedp.Evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`, nil, awaited))
}

// answersPassEachOther is a slow network: what was read of a page before an edit of hers was saved, or before a later edit of his, comes after
// it and takes nothing back.
func answersPassEachOther(b *browser, s *site) {
	task := strings.Split(b.hash(), "/")[2]
	item := "/v1/tasks/" + task + "/items/0"
	g := newGate(b)
	byBob := func(text string) {
		b.t.Helper()
		status, _ := s.ask(http.MethodPatch, "/v1/comic/translations/"+task+"/items/0/regions",
			fmt.Sprintf(`{"regions": [{"region_index": 0, "translation": %s}]}`, quoted(text)))
		require.Equal(b.t, http.StatusAccepted, status)
	}
	value := func(selector, want string) {
		b.t.Helper()
		b.until(fmt.Sprintf(`document.querySelector(%q).value === %s`, selector, quoted(want)))
	}
	before := textOf(s, item)

	saving, reading := g.hold(http.MethodPatch, 1), g.hold(http.MethodGet, readers)
	b.set(`[data-style="size"]`, "64")
	save := saving()
	byBob("By Bob")
	read := reading()
	save()
	value(firstText, "By Bob")
	b.until(allSaved)
	b.answered(read)
	b.set(`[data-style="color"]`, "#ff0080")
	b.until(textState("saved"))
	b.until(allSaved)
	style := regionOf(s, item)["style"].(map[string]any)
	require.Equal(b.t, []any{64.0, "#ff0080"}, []any{style["size"], style["color"]})

	reading = g.hold(http.MethodGet, readers)
	byBob("Once")
	read = reading()
	byBob("Twice")
	value(firstText, "Twice")
	b.until(allSaved)
	b.answered(read)
	value(firstText, "Twice")

	b.do(fetch.Disable())
	b.press("Lettering as found")
	b.set(firstText, before)
	b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil))
	b.until(textState("saved"))
	b.until(allSaved)
	require.Equal(b.t, before, textOf(s, item))
}
