package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
)

const (
	firstViews = 5
	// manyPages is the length of the chapter that is scrolled, in pages.
	manyPages = 1000
	// scrollSpeed is in pixels of the screen a second: a person who looks for a page. At lookSpeed every picture is shown.
	scrollSpeed, lookSpeed = 5000, 1600
	// tallPage is the height of a page that is zoomed and moved, in pixels.
	tallPage = 20_000
	// longTask is the time for which a task keeps the page from answering, in microseconds (W3C, Long Tasks API).
	longTask = 50_000
)

// BenchmarkWeb measures the page in the browser by tracing: when its first view answers, how a chapter of a thousand pages scrolls and what
// memory its tab takes, and how a tall page is zoomed and moved. Each has a browser of its own, as a trace leaves memory behind.
func BenchmarkWeb(b *testing.B) {
	s := &site{sandbox: newUnwatched(b, "PLAIT_HTTP_ADDRESS="+freeAddress(b))}
	s.start()
	measure := func(does func(*browser) map[string]any) {
		tab := openBrowser(b)
		tab.do(chromedp.Navigate(s.address))
		tab.shows("Sign in to Plait")
		tab.set("input[type=password]", s.key)
		tab.press("Sign in")
		tab.shows("Drop a book here")
		benchtest.Write(b, nil, does(tab))
	}
	measure(func(tab *browser) map[string]any { return tab.firstView(s) })
	thousand := s.untranslated(manyPages, 960, 1360)
	measure(func(tab *browser) map[string]any { return tab.scrolling(s, thousand) })
	measure(func(tab *browser) map[string]any { return tab.looking(s, thousand) })
	tall := s.untranslated(1, 800, tallPage)
	measure(func(tab *browser) map[string]any { return tab.movingAPage(s, tall) })
}

// firstView opens the page without a cache, several times. Interactive is when the view is there and no task keeps the page from answering;
// busy is the processor time of the thread of the page until then.
func (b *browser) firstView(s *site) map[string]any {
	b.t.Helper()
	const mark = `new MutationObserver((_, o) => document.querySelector("#files") && (performance.mark("shown"), o.disconnect())).observe(document, { childList: true, subtree: true })`
	b.do(network.Enable(), chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(mark).Do(ctx)
		return err
	}))
	var interactive, busy []float64
	var script int
	for range firstViews {
		b.do(network.ClearBrowserCache())
		traced := b.trace(func() {
			b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.address+"/"))
			b.shows("Drop a book here")
			b.until(`performance.getEntriesByName("shown").length > 0`)
		})
		shown := traced.last("shown")
		start := traced.last("navigationStart")
		end := shown.At
		var used float64
		for _, e := range traced.tasks(shown, start.At) {
			if e.At <= end || e.Duration >= longTask {
				used += e.Processor
			}
			if e.Duration >= longTask {
				end = max(end, e.At+e.Duration)
			}
		}
		interactive, busy = append(interactive, (end-start.At)/1000), append(busy, used/1000)
		b.do(chromedp.Evaluate(`performance.getEntriesByType("resource").filter((e) => e.name.endsWith(".js")).reduce((sum, e) => sum + e.encodedBodySize, 0)`, &script))
	}
	return map[string]any{"case": "first view", "interactive_ms": median(interactive), "busy_ms": median(busy), "script_bytes": script}
}

// scrolling scrolls a chapter from its first page to its last.
func (b *browser) scrolling(s *site, task string) map[string]any {
	b.t.Helper()
	height := b.openChapter(s, task)
	moved := b.smoothness(func() { b.scroll(height, scrollSpeed) })
	moved["case"], moved["pages"], moved["pixels"] = "scroll", manyPages, height
	return moved
}

// looking scrolls a chapter so slowly that all its pictures are shown, and measures the memory of its tab. It traces nothing: a trace is kept in
// the memory of what it traces.
func (b *browser) looking(s *site, task string) map[string]any {
	b.t.Helper()
	height := b.openChapter(s, task)
	b.scroll(height, lookSpeed)
	b.until(`(() => { const cards = ` + pageCards + `.filter((c) => c.getBoundingClientRect().top < innerHeight && c.getBoundingClientRect().bottom > 0);
		return cards.length > 0 && cards.every((c) => c.querySelector("[data-shown=true]")); })()`)
	var shown int
	b.do(chromedp.Evaluate(`performance.getEntriesByType("resource").filter((e) => e.name.includes("?width=")).length`, &shown))
	return map[string]any{
		"case": "look", "pages": manyPages, "pictures": shown,
		"tab_mib": b.tabMemory("VmRSS:"), "tab_private_mib": b.tabMemory("RssAnon:") + b.tabMemory("VmSwap:"),
	}
}

// openChapter shows a chapter, and returns how far it can be scrolled.
func (b *browser) openChapter(s *site, task string) (height int) {
	b.t.Helper()
	b.do(chromedp.Evaluate(`performance.setResourceTimingBufferSize(5000)`, nil), chromedp.Navigate(s.address+"/#/tasks/"+task))
	b.until(fmt.Sprintf(pageCards+`.length === %d`, manyPages))
	b.until(pageCards + `[0].querySelector("[data-shown=true]")`)
	b.do(chromedp.Evaluate(`document.documentElement.scrollHeight - innerHeight`, &height))
	return height
}

// scroll scrolls a chapter to its end.
func (b *browser) scroll(height, speed int) {
	b.t.Helper()
	b.do(input.SynthesizeScrollGesture(640, 500).WithYDistance(float64(-height)).WithSpeed(int64(speed)))
	var at int
	b.do(chromedp.Evaluate(`Math.round(scrollY)`, &at))
	require.Greater(b.t, at, height*9/10, "the chapter is scrolled to its end")
}

// moving turns the wheel over a page with each frame, for some seconds: down a page at its width, and then, with Ctrl, in and out.
const moving = `(async () => {
	const canvas = document.querySelector(".openseadragon-canvas"), box = canvas.getBoundingClientRect();
	for (let n = 0; n < 360; n++) {
		const zooms = n >= 180;
		canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: zooms ? (n % 120 < 60 ? -20 : 20) : 60, ctrlKey: zooms,
			clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true, cancelable: true }));
		await new Promise(requestAnimationFrame);
	}
})()`

// movingAPage moves over a tall page, and zooms it.
func (b *browser) movingAPage(s *site, task string) map[string]any {
	b.t.Helper()
	b.do(chromedp.Navigate(s.address + "/#/tasks/" + task + "/pages/0"))
	b.until(`document.querySelector(".openseadragon-canvas") && !document.querySelector(".stage [role=status]")`)
	moved := b.smoothness(func() { b.do(chromedp.Evaluate(moving, nil, awaited)) })
	moved["case"], moved["pixels"] = "tall page", tallPage
	return moved
}

// smoothness traces what moves. Busy is the processor time of the thread of the page for each frame that was drawn: at 20 milliseconds it could
// draw 50 frames a second.
func (b *browser) smoothness(move func()) map[string]any {
	b.t.Helper()
	traced := b.trace(func() {
		b.do(chromedp.Evaluate(`performance.mark("from")`, nil))
		move()
		b.do(chromedp.Evaluate(`performance.mark("to")`, nil))
	})
	from, to := traced.last("from"), traced.last("to")
	var frames []float64
	for _, e := range traced {
		if e.Name == "DrawFrame" && e.At > from.At && e.At < to.At {
			frames = append(frames, e.At)
		}
	}
	require.NotEmpty(b.t, frames)
	var used float64
	for _, e := range traced.tasks(from, from.At) {
		if e.At < to.At {
			used += e.Processor
		}
	}
	slices.Sort(frames)
	var gaps []float64
	for i, at := range frames[1:] {
		gaps = append(gaps, (at-frames[i])/1000)
	}
	slices.Sort(gaps)
	seconds := (to.At - from.At) / 1e6
	return map[string]any{
		"seconds": seconds, "frames_per_second": float64(len(frames)) / seconds,
		"gap_95_ms": gaps[len(gaps)*95/100], "busy_ms_per_frame": used / 1000 / float64(len(frames)),
	}
}

// tabMemory is a figure of the memory of the processes that show pages, in MiB. The program of the browser is in VmRSS, for all tabs together.
// What Chromium calls the private footprint of a tab is RssAnon and VmSwap (chromium: memory_instrumentation/os_metrics_linux.cc).
func (b *browser) tabMemory(figure string) (mib int) {
	b.t.Helper()
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		all, err := systeminfo.GetProcessInfo().Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
		for _, p := range all {
			if p.Type == "renderer" {
				mib += memoryOf(b.t, int(p.ID), figure)
			}
		}
		return err
	}))
	return mib
}

// untranslated is a chapter whose pages are not translated: the page in the browser shows each of them.
func (s *site) untranslated(pages, width, height int) (task string) {
	s.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"from": "ja", "to": "en", "title": "Pages"} {
		require.NoError(s.t, form.WriteField(name, value))
	}
	script, err := form.CreateFormFile("script", "script.json")
	require.NoError(s.t, err)
	_, err = script.Write([]byte(`{"from": "ja", "to": "en", "pages": [{"page": "0001.png", "regions": []}]}`))
	require.NoError(s.t, err)
	m := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black, color.Gray{128}})
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	for n := range pages {
		for i := range m.Pix {
			m.Pix[i] = uint8((i/(n+7) + i/(width*(n%13+5))) % 3)
		}
		file, err := form.CreateFormFile("file", fmt.Sprintf("%04d.png", n+1))
		require.NoError(s.t, err)
		require.NoError(s.t, encoder.Encode(file, m))
	}
	require.NoError(s.t, form.Close())
	status, answer := s.send(http.MethodPost, "/v1/comic/translations", form.FormDataContentType(), &body)
	require.Equal(s.t, http.StatusAccepted, status, "%v", answer)
	path := "/v1/tasks/" + answer["id"].(string)
	_, _ = s.ask(http.MethodPost, path+"/cancel", "")
	eventually(s.t, func() bool {
		_, answer := s.ask(http.MethodGet, path, "")
		return answer["status"] == "canceled"
	}, "the chapter is canceled")
	return answer["id"].(string)
}

// traceEvent is an event of a trace. Times are in microseconds.
type traceEvent struct {
	Name      string  `json:"name"`
	Phase     string  `json:"ph"`
	Process   int     `json:"pid"`
	Thread    int     `json:"tid"`
	At        float64 `json:"ts"`
	Duration  float64 `json:"dur"`
	Processor float64 `json:"tdur"`
}

type trace []traceEvent

// last is the last event of a name.
func (t trace) last(name string) (found traceEvent) {
	for _, e := range t {
		if e.Name == name && e.At > found.At {
			found = e
		}
	}
	return found
}

// tasks are what the thread of an event did after a time, in order.
func (t trace) tasks(of traceEvent, after float64) (list []traceEvent) {
	for _, e := range t {
		if strings.HasSuffix(e.Name, "RunTask") && e.Process == of.Process && e.Thread == of.Thread && e.At >= after {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b traceEvent) int { return cmp.Compare(a.At, b.At) })
	return list
}

// trace traces the browser while it does something.
func (b *browser) trace(during func()) (t trace) {
	b.t.Helper()
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, raw := range e.Value {
				var one traceEvent
				if json.Unmarshal(raw, &one) == nil { // metadata has other forms
					t = append(t, one)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	})
	categories := []string{"toplevel", "blink.user_timing", "devtools.timeline", "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame"}
	b.do(tracing.Start().WithTransferMode(tracing.TransferModeReportEvents).WithTraceConfig(&tracing.TraceConfig{IncludedCategories: categories, ExcludedCategories: []string{"*"}}))
	during()
	b.do(tracing.End())
	<-done
	return t
}
