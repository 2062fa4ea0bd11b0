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

// What a gate can hold.
const (
	edits  = "edits of the first page"
	reads  = "answers about the first page"
	stream = "streams of events"
)

// gate stands between the page and the server. It holds what a test tells it to, and lets everything else pass.
type gate struct {
	b  *browser
	mu sync.Mutex
	// next has room for those that are to be held.
	next map[string]chan fetch.RequestID
}

// heldAs is what a gate can hold that a request belongs to.
func heldAs(paused *fetch.EventRequestPaused) string {
	switch {
	case strings.Contains(paused.Request.URL, "/v1/events"):
		return stream
	case paused.Request.Method == http.MethodPatch:
		return edits
	default:
		return reads
	}
}

// newGate stands before requests to edit the first page and to follow events, and behind the answers of those that read the page.
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
		case g.next[heldAs(paused)] <- paused.RequestID:
			return
		default:
		}
		go func() { _ = chromedp.Run(b.ctx, fetch.ContinueRequest(paused.RequestID)) }() // the tab may be closed meanwhile
	})
	b.do(fetch.Enable().WithPatterns([]*fetch.RequestPattern{
		{URLPattern: "*/items/0/regions", RequestStage: fetch.RequestStageRequest},
		{URLPattern: "*/v1/events*", RequestStage: fetch.RequestStageRequest},
		{URLPattern: "*/items/0", RequestStage: fetch.RequestStageResponse},
	}))
	return g
}

// hold holds the next one of what. The function that is returned waits for it, and returns what lets it go on.
func (g *gate) hold(what string) (wait func() (release func())) {
	held := make(chan fetch.RequestID, 1)
	g.mu.Lock()
	g.next[what] = held
	g.mu.Unlock()
	return func() func() {
		g.b.t.Helper()
		eventuallySaying(g.b.t, func() bool { return len(held) == 1 }, func() string { return "nothing is held of the " + what + "\n" + g.b.text() })
		g.mu.Lock()
		delete(g.next, what)
		g.mu.Unlock()
		return func() {
			g.b.t.Helper()
			g.b.do(fetch.ContinueRequest(<-held))
		}
	}
}

// itemsRead counts the answers about the first page that the page has read.
const itemsRead = `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/items/0") && e.responseEnd > 0).length`

// answered lets an answer about the first page go on, and returns when the page has read it.
func (b *browser) answered(release func()) {
	b.t.Helper()
	var before int
	b.do(chromedp.Evaluate(itemsRead, &before))
	release()
	b.until(fmt.Sprintf("%s >= %d", itemsRead, before+1))
	b.do(chromedp.Evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`, nil, awaited))
}

// answersPassEachOther is a slow network: what was read of a page before an edit of hers was saved, or before a later edit of his, comes after
// it and takes nothing back; and an edit is shown that was made before the page followed the events, and after it was read.
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
	// Events of what is rendered would mend what an old answer has done.
	rendered := func() {
		b.t.Helper()
		eventually(b.t, func() bool {
			_, answer := s.ask(http.MethodGet, item, "")
			return answer["details"].(map[string]any)["edit"].(map[string]any)["status"] == "success"
		}, "the edit is rendered")
	}
	value := func(selector, want string) {
		b.t.Helper()
		b.until(fmt.Sprintf(`document.querySelector(%q).value === %s`, selector, quoted(want)))
	}
	before := textOf(s, item)

	saving, reading := g.hold(edits), g.hold(reads)
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

	reading = g.hold(reads)
	byBob("Once")
	read = reading()
	byBob("Twice")
	value(firstText, "Twice")
	rendered()
	b.until(allSaved)
	b.answered(read)
	var shown string
	b.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).value`, firstText), &shown))
	require.Equal(b.t, "Twice", shown)

	// Events of before the page follows them do not come, and its first answer is older.
	var page string
	b.do(chromedp.Location(&page), chromedp.Navigate("about:blank"))
	reading, following := g.hold(reads), g.hold(stream)
	b.do(chromedp.Navigate(page))
	read, follow := reading(), following()
	byBob("Before the page is open")
	rendered()
	follow()
	b.until(fmt.Sprintf(`performance.getEntriesByType("resource").filter((e) => e.name.endsWith(%q)).length > 1`, "/v1/tasks/"+task)) // read again, as it follows
	b.answered(read)
	value(firstText, "Before the page is open")

	b.do(fetch.Disable(), chromedp.Focus(firstText))
	b.press("Lettering")
	b.press("Lettering as found")
	b.set(firstText, before)
	b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil))
	b.until(textState("saved"))
	b.until(allSaved)
	require.Equal(b.t, before, textOf(s, item))
}
